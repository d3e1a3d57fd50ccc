"""One source per grammar with words planted in it, for the tests of stripping.

Words that begin with ``hush`` stand in comments and docstrings, one in each kind and place
the language has; words that begin with ``keep`` stand in code and in string literals, some
of which only look like comments.
"""

from __future__ import annotations

PLANTED = {
    "bash": r"""#!/bin/bash
# hush_top é

# hush_above
keep_one() { # hush_trailing
  # hush_inside
  local keep_a="# keep_fake" keep_b='# keep_raw'  # hush_after_string
  echo "${keep_a#keep_prefix}" "$#" keep_x#keep_y \
    keep_z
  cat <<EOF
# keep_heredoc
EOF
  keep_list=(  # hush_in_list
    keep_item  # hush_item
  )
}
keep_two() { :; }
# hush_last""",
    "c": r"""/* hush_top é */
// hush_line \
   hush_continued
#include <keep_a.h> // hush_include
#include "keep_b.h" /* hush_include_block */
#define KEEP_EMPTY // hush_empty
#define KEEP_CALL(keep_x) /* hush_empty_call */
#define KEEP_ONE 1 // hush_macro_line
#define KEEP_TWO 2 /* hush_macro
                      hush_second_row */
#define KEEP_LONG(keep_y) do { \
    keep_z(keep_y); \
  } while (0) // hush_macro_end
#undef KEEP_ONE // hush_undef
#if defined(KEEP_IF) // hush_if
#endif /* hush_endif */

/** hush_doc
 * @param hush_param
 */
int keep_first(int keep_p /* hush_parameter */, // hush_parameter_line
               char keep_q) { // hush_open
  /* hush_inside */ const char *keep_s = "/* keep_fake */ // keep_fake_line";
  return keep_p; // hush_trailing
}
/// hush_triple
struct keep_node { int keep_field; /**< hush_member */ };
#if 0
int keep_disabled(void);
#endif
/* hush_last */
""",
    "cpp": r"""// hush_top é
#pragma once // hush_pragma
#define KEEP_EMPTY(keep_x) // hush_empty
#define KEEP_ONE 1 // hush_macro
/* hush_block
   hush_row */
namespace keep_space { // hush_open

//! hush_bang
template <typename KeepT /* hush_template */>
class KeepBox {
 public:
  /// hush_doc
  KeepBox(int keep_a /* hush_parameter */, // hush_line_parameter
          int keep_b = 2)
      : keep_m(keep_a) /* hush_initializer */ {}
  /** hush_javadoc */
  int keep_get() const { return keep_m; } ///< hush_after
 private:
  int keep_m; //!< hush_member
};
auto keep_raw = R"(// keep_raw_string /* keep_too */)";
auto keep_fn = [](int keep_i) { /* hush_lambda */ return "// keep_fake"; };
}  // hush_close
""",
    "csharp": r"""// hush_top é
#define KEEP_SYMBOL // hush_define
using KeepSystem; // hush_using
#region keep_region
/* hush_block
   hush_row */
namespace KeepSpace
{
    /// <summary>
    /// hush_summary <see cref="X"/>
    /// </summary>
    public class KeepBox // hush_open
    {
        /** <remarks>hush_delimited</remarks> */
        [KeepAttribute] // hush_attribute
        public int KeepAdd(int keepA /* hush_parameter */, // hush_line_parameter
            int keepB)
        {
            // hush_inside
            var keepS = "// keep_fake" + @"/* keep_verbatim */" + $"{keepA /* hush_hole */}";
            return keepA; // hush_trailing
        }
#if DEBUG // hush_if
        public void KeepDebug() { }
#endif // hush_endif
    }
}
#endregion
""",
    "elixir": r'''# hush_top é
defmodule KeepBox do
  @moduledoc """
  hush_moduledoc #{hush_hole}
  """
  @keep_constant "# keep_string" # hush_trailing

  @typedoc ~S"hush_typedoc"
  @type keep_t :: integer

  @doc """
  hush_doc

      iex> hush_example()
  """
  @doc since: "hush_since"
  @spec keep_add(integer, integer) :: integer
  def keep_add(keep_a, # hush_parameter
               keep_b) do
    # hush_inside
    "#{keep_a} # keep_fake"
  end

  @doc ~s(hush_sigil)
  defmacro keep_macro(keep_c), do: keep_c

  @doc "hush_joined " <> "hush_piece"
  def keep_two, do: """
  # keep_heredoc
  """

  defmodule KeepInner do
    @moduledoc ~S"""
    hush_inner
    """
  end
end

defmodule Mix.Tasks.KeepTask do
  @shortdoc "hush_shortdoc"
  @moduledoc "hush_plain"
end
''',
    "go": r"""// hush_top é
//go:build hush_tag

/*
hush_package
*/
package keep_pkg // hush_trailing

import (
	// hush_import
	"keep/path" /* hush_path */
)

// hush_doc
type KeepBox struct {
	KeepField int `json:"keep_tag"` // hush_field
}

// hush_method
func (b *KeepBox) KeepAdd(keepA int /* hush_parameter */, // hush_line_parameter
	keepB int) int {
	// hush_inside
	keepS := "// keep_fake" + `/* keep_raw */`
	return keepA /* hush_expression */ + len(keepS)
}

/* hush_block */ func KeepTwo() {}
""",
    "haskell": r"""{-# LANGUAGE KeepExtension #-}
{- hush_top é {- hush_nested -} hush_after_nested -}
-- | hush_module
module KeepBox
  ( keepAdd -- ^ hush_export
  , keepTwo {- hush_export_block -}
  ) where

import KeepImport -- hush_import

-- | hush_doc
-- hush_continued
keepAdd :: Int -- ^ hush_argument
        -> Int -- ^ hush_result
keepAdd keepA = keepA {- hush_expression -} + 1 -- hush_trailing

{-| hush_block_doc -}
data KeepData = KeepOne -- ^ hush_constructor
              | KeepOther { keepField :: Int {- ^ hush_field -} }

#if KEEP_FLAG /* hush_directive */
-- hush_in_branch
keepTwo = "-- keep_fake {- keep_fake_block -}"
#else
-- hush_in_other_branch
keepTwo = "-- keep_else" -- hush_else
#endif /* hush_endif */

keepThree = keepA --> keepB
  where
    -- hush_where
    keepB = 2
""",
    "java": r'''// hush_top é
/* hush_block */
package keep.pkg; // hush_package

import keep.other.KeepImport; /* hush_import */

/**
 * hush_javadoc {@link hush_link}
 */
@KeepAnnotation("// keep_value") // hush_annotation
public class KeepBox<KeepT /* hush_type */> {
    private int keepField = 1; // hush_field

    /** hush_method */
    public int keepAdd(int keepA /* hush_parameter */, // hush_line_parameter
            int keepB) {
        // hush_inside
        String keepS = "/* keep_fake */" + '/' + """
            // keep_block
            """;
        return keepA /* hush_expression */ + 1;
    }
    /* hush_between */ enum KeepEnum { KEEP_A, /* hush_constant */ KEEP_B }
}
// hush_last
''',
    "javascript": r"""#!/usr/bin/env keep_node
<!-- hush_html é
--> hush_html_close
'use strict'; // hush_top
/* hush_block */
import keepImport from 'keep-path'; // hush_import

/**
 * hush_jsdoc
 * @param {number} hush_param
 */
export function keepAdd(keepA /* hush_parameter */, // hush_line_parameter
  keepB = 2) {
  // hush_inside
  const keepS = "// keep_fake" + '/* keep_single */' + `// keep_template ${keepA /* hush_hole */}`;
  return /keep\/\/regex/.test(keepS); // hush_trailing
}

class KeepBox {
  /** hush_method */
  keepGet() { return <p keep={1 /* hush_attribute */}>{/* hush_jsx */} // keep_text</p>; }
}
const keepArrow = (/* hush_empty */) => 1;
// hush_last""",
    "kotlin": r'''// hush_top é
/* hush_block /* hush_nested */ hush_after_nested */
package keep.pkg // hush_package

import keep.other.KeepImport /* hush_import */

/**
 * hush_kdoc [hush_link]
 */
class KeepBox(
    val keepA: Int, // hush_parameter
    /* hush_between */ val keepB: Int,
) {
    /** hush_method */
    fun keepAdd(keepC: Int /* hush_argument */): Int {
        // hush_inside
        val keepS = "// keep_fake ${keepC /* hush_hole */}" + """/* keep_raw */"""
        return keepC // hush_trailing
    }
}

fun keepTwo() = 1 /* hush_last */
''',
    "lua": r"""#!/usr/bin/keep_lua
-- hush_top é
--[[ hush_block
hush_row ]]
--[==[ hush_long ]] hush_still ]==]
local keep_m = {} -- hush_trailing

--- hush_doc
-- @param hush_param
function keep_m.keep_add(keep_a, --[[ hush_parameter ]] keep_b) -- hush_line_parameter
  -- hush_inside
  local keep_s = "-- keep_fake" .. [[--[=[ keep_long ]=]]
  return keep_a --[[hush_expression]] - -keep_b
end

local function keep_two() end -- hush_two
return keep_m
--hush_last""",
    "php": r"""<p>keep_html // keep_text</p>
<?php // hush_inline ?> keep_between
<?php
# hush_top é
/* hush_block */
namespace KeepSpace; // hush_namespace

/**
 * hush_phpdoc
 * @return hush_return
 */
#[KeepAttribute("# keep_value")] # hush_attribute
class KeepBox {
    /** @var hush_var */
    private $keepField = 1; # hush_field

    public function keepAdd(int $keepA /* hush_parameter */, // hush_line_parameter
        int $keepB): int {
        // hush_inside
        $keepS = "// keep_fake {$keepA}" . '# keep_single' . <<<EOT
        /* keep_heredoc */
        EOT;
        return $keepA /* hush_expression */ + 1;
    }
}
// hush_last
""",
    "python": r'''#!/usr/bin/env hush_shebang
# hush_top é
r"""hush_module

hush_second "quoted"
"""
import keep_import  # hush_import

KEEP_CONSTANT = "# keep_string"
"""hush_attribute"""


class KeepBox:
    """hush_class"""

    def keep_add(
        self,
        keep_a,  # hush_parameter
        keep_b="""keep_default""",
    ):
        # hush_before
        """hush_method \
        hush_row
        """

        def keep_inner():
            'hush_inner'

        class KeepInner: "hush_one_line"
        return f"# keep_fake {keep_a}"  # hush_trailing


async def keep_empty():
    u"hush_joined" "hush_piece"


def keep_parenthesized(): ("hush_parenthesized")


def keep_strings():
    keep_call("keep_argument")
    return "keep_returned"


def keep_both(): ("hush_both" "hush_parts")


keep_strings.__doc__ = "hush_assigned"
keep_both.__doc__ = "hush_assigned_joined" "hush_assigned_piece"
__doc__ = ("hush_assigned_parenthesized")
__doc__ = ("hush_assigned_both" "hush_assigned_parts")
# hush_last''',
    "ruby": r"""#!/usr/bin/env hush_shebang
# frozen_string_literal: hush_magic é
=begin
hush_block
=end
require "keep_path" # hush_require

# hush_doc
# @param hush_param
module KeepSpace
  # hush_class
  class KeepBox # hush_open
    def keep_add(keep_a, # hush_parameter
                 keep_b)
      # hush_inside
      keep_s = "# keep_fake #{keep_a}" + '# keep_single' + %q(# keep_percent)
      keep_a # hush_trailing
    end
    KEEP_TEXT = <<~EOS # hush_heredoc
      # keep_heredoc
    EOS
  end
end
__END__
# keep_data
""",
    "rust": r"""//! hush_inner é
/*! hush_inner_block */
#![doc = "hush_inner_attribute"]
// hush_top
/* hush_block /* hush_nested */ hush_after_nested */
use keep_crate::KeepImport; // hush_use

/// hush_doc
/// hush_continued
#[doc = "hush_attribute \"hush_quoted\" hush_rest"]
#[doc = r#"hush_raw "hush_in_quotes""#]
#[cfg_attr(keep_feature, doc = "hush_condition")]
#[doc = concat!("hush_concat", stringify!(keep_name))]
#[deprecated(note = "keep_note")]
pub struct KeepBox<'a> {
    /** hush_field */
    keep_field: &'a str, // hush_trailing
}

impl KeepBox<'_> {
    /// hush_method
    fn keep_add(&self, keep_a: i32 /* hush_parameter */, // hush_line_parameter
        keep_b: i32) -> i32 {
        // hush_inside
        let doc = "// keep_fake";
        let keep_s = r"/* keep_raw */";
        keep_macro!(doc = "keep_named", keep_a /* hush_macro */);
        keep_a
    }
}

keep_items! {
    /// hush_token
    #[doc = "hush_token_attribute"]
    fn keep_first() {} // hush_token_line
    #[cfg_attr(keep_other, doc = "hush_token_condition")]
    fn keep_second() {}
}
""",
    "scala": r'''// hush_top é
/* hush_block /* hush_nested */ hush_after_nested */
package keep.pkg // hush_package

import keep.other.KeepImport /* hush_import */

/** hush_scaladoc
  * hush_continued
  */
class KeepBox(keepA: Int /* hush_parameter */, // hush_line_parameter
    keepB: Int) {
  /** hush_method */
  def keepAdd(keepC: Int): Int = {
    // hush_inside
    val keepS = "// keep_fake" + s"${keepC /* hush_hole */}" + """/* keep_raw */"""
    keepC // hush_trailing
  }
  val keepXml = <a><!-- hush_xml -->keep_text</a>
}
object KeepObject // hush_last
''',
    "swift": r'''// hush_top é
/* hush_block /* hush_nested */ hush_after_nested */
import KeepModule // hush_import

/// hush_doc
/// - Parameter hush_param
public struct KeepBox { // hush_open
    let keepField: Int // hush_field

    /** hush_method */
    func keepAdd(_ keepA: Int /* hush_parameter */, // hush_line_parameter
                 keepB: Int) -> Int {
        // hush_inside
        let keepS = "// keep_fake" + #"/* keep_raw */"# + """
        // keep_multiline
        """
        return keepA // hush_trailing
    }
}
#if KEEP_FLAG // hush_if
func keepTwo() {}
#endif // hush_endif
// MARK: hush_mark
enum KeepEnum { case keepCase /* hush_case */ }
''',
    "typescript": r"""/// <reference path="hush_reference" />
// hush_top é
/* hush_block */
import { keepImport } from 'keep-path'; // hush_import

/**
 * hush_jsdoc
 */
export interface KeepShape {
  keepField: string; // hush_field
  /** hush_signature */
  keepMethod(keepA: number /* hush_parameter */): void;
}

@keepDecorator('// keep_value') // hush_decorator
export class KeepBox<KeepT /* hush_type */> implements KeepShape {
  constructor(private keepB: number, // hush_line_parameter
    readonly keepC = '/* keep_fake */') {}
  /* hush_between */ keepMethod(): void {
    // hush_inside
    const keepS = `// keep_template ${this.keepB /* hush_hole */}`;
  }
}
export type KeepUnion = /* hush_first */ 'keep_a' | 'keep_b'; // hush_last
""",
    "tsx": r"""// hush_top é
/** hush_jsdoc */
export const KeepView = (keepProps: KeepProps /* hush_parameter */) => (
  <div className="// keep_fake" // hush_attribute
    id={'keep_id' /* hush_value */}>
    {/* hush_child */}
    // keep_text
    {keepProps.keepItem}
  </div>
);
/* hush_block */
function keepTwo(): JSX.Element { return <p />; } // hush_trailing
""",
    "zig": r"""//! hush_container é
// hush_top
const keep_std = @import("keep_path"); // hush_import

/// hush_doc
/// hush_continued
pub const KeepBox = struct {
    /// hush_field
    keep_field: u32, // hush_trailing

    /// hush_method
    pub fn keepAdd(
        keep_a: u32, // hush_parameter
        /// hush_doc_parameter
        keep_b: u32,
    ) u32 {
        // hush_inside
        const keep_s = "// keep_fake";
        const keep_m =
            \\// keep_multiline
        ;
        return keep_a; //// hush_four
    }
};

test "keep_test // keep_name" {} // hush_last
""",
}
