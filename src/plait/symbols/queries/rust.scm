; Rust. An impl block qualifies by its type and makes methods of its functions.

(function_item name: (identifier) @name body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @definition.struct
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(mod_item name: (identifier) @name body: (_) @body) @definition.module
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(macro_definition name: (identifier) @name . (macro_rule) @body) @definition.macro

; What a macro such as `cfg_net! { ... }` is given is tokens: an item ends with its braces.
; (The grammar hides all but the first from patterns rooted at the token tree. Outside of
; one, types have names of another sort and functions have parameters.)
("fn" . (identifier) @name @definition.function.tokens . [(token_tree) "<"])
("struct" . (identifier) @name @definition.struct.tokens)
("enum" . (identifier) @name @definition.enum.tokens)
("trait" . (identifier) @name @definition.trait.tokens)

[
  (source_file (const_item name: (identifier) @name) @definition.constant)
  (declaration_list (const_item name: (identifier) @name) @definition.constant)
  (source_file (static_item name: (identifier) @name) @definition.constant)
  (declaration_list (static_item name: (identifier) @name) @definition.constant)
]

(impl_item type: [
  (type_identifier) @name
  (primitive_type) @name
  (scoped_type_identifier name: (_) @name)
  (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])
  (reference_type type: [
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (_) @name)
    (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])
  ])
  (dynamic_type trait: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])
]) @scope.type

(attribute_item) @attribute
("#" @attribute . (token_tree "[") @attribute)
(line_comment) @comment
(block_comment) @comment

(call_expression function: (identifier) @reference.calls)
(call_expression function: (field_expression value: (_) @qualifier field: (_) @reference.calls))
(call_expression function: (scoped_identifier path: (_)? @qualifier name: (_) @reference.calls))
(generic_function function: (identifier) @reference.calls)
(generic_function function: (field_expression value: (_) @qualifier field: (_) @reference.calls))
(generic_function function: (scoped_identifier path: (_)? @qualifier name: (_) @reference.calls))
(macro_invocation macro: (identifier) @reference.calls)
(macro_invocation macro: (scoped_identifier path: (_)? @qualifier name: (_) @reference.calls))
; what a macro is given is not parsed, but a name before a parenthesis is a call
(token_tree (identifier) @reference.calls . (token_tree "("))

(trait_item bounds: (trait_bounds [
  (type_identifier) @reference.extends
  (scoped_type_identifier path: (_)? @qualifier name: (_) @reference.extends)
  (generic_type type: (type_identifier) @reference.extends)
]))
(impl_item trait: [
  (type_identifier) @reference.implements
  (scoped_type_identifier path: (_)? @qualifier name: (_) @reference.implements)
  (generic_type type: (type_identifier) @reference.implements)
  (generic_type type: (scoped_type_identifier path: (_)? @qualifier name: (_) @reference.implements))
])
(attribute
  (identifier) @_derive
  arguments: (token_tree (identifier) @reference.implements)
  (#eq? @_derive "derive"))

(type_identifier) @reference.uses
(attribute (identifier) @reference.uses)
(attribute (scoped_identifier name: (_) @reference.uses))
(scoped_identifier path: (identifier) @reference.uses (#match? @reference.uses "^[A-Z]"))

(use_declaration argument: [(identifier) (scoped_identifier)] @reference.imports)
(use_declaration argument: (scoped_identifier
  path: (_) @import.module
  name: (_) @import.name) @reference.imports)
(use_declaration argument: (scoped_identifier name: (_) @reference.uses))
(use_as_clause path: (_) @reference.imports)
(use_as_clause path: (_) @reference.imports alias: (_) @import.alias)
(use_wildcard (_) @reference.imports "*" @import.name)
(scoped_use_list path: (_) @reference.imports)
(scoped_use_list path: (_) @reference.imports list: (use_list (identifier) @import.name))
(use_list (scoped_identifier) @reference.imports)
(use_list (identifier) @reference.uses)
(extern_crate_declaration name: (_) @reference.imports)
(mod_item name: (_) @reference.imports !body)

(scoped_type_identifier path: (_) @qualifier name: (_) @qualified)
