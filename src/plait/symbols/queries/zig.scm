; Zig. Types are the values of constants. A constant that only imports or renames something
; is a symbol if it is public.

(variable_declaration (identifier) @name "=" . (struct_declaration) @body) @definition.struct
(variable_declaration (identifier) @name "=" . (opaque_declaration) @body) @definition.struct
(variable_declaration (identifier) @name "=" . (enum_declaration) @body) @definition.enum
(variable_declaration (identifier) @name "=" . (union_declaration) @body) @definition.union
(variable_declaration (identifier) @name "=" . (error_set_declaration) @body) @definition.type
(variable_declaration (identifier) @name "=" . (pointer_type (function_signature)))
  @definition.type

(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(test_declaration [(string) (identifier)] @name (block) @body) @definition.test

(source_file (variable_declaration
  "const" (identifier) @name "=" . [
    (integer) (float) (string) (multiline_string) (character) (boolean)
    (struct_initializer) (anonymous_struct_initializer) (binary_expression)
    (unary_expression) (call_expression) (if_expression) (switch_expression)
    (block_expression) (labeled_statement) (comptime_expression) (index_expression)
    (array_type) (try_expression) (catch_expression) (null_coercion_expression)
    (parenthesized_expression) (range_expression)
  ] @body) @definition.constant)
(source_file (variable_declaration
  "pub" "const" (identifier) @name "=" . [(field_expression) (identifier) (builtin_function)] @body)
  @definition.constant)
(struct_declaration (variable_declaration
  "const" (identifier) @name "=" . [
    (integer) (float) (string) (multiline_string) (character) (boolean)
    (struct_initializer) (anonymous_struct_initializer) (binary_expression)
    (unary_expression) (call_expression) (if_expression) (switch_expression)
    (block_expression) (labeled_statement) (comptime_expression) (index_expression)
    (array_type) (try_expression) (catch_expression) (null_coercion_expression)
    (parenthesized_expression) (range_expression)
  ] @body) @definition.constant)
(struct_declaration (variable_declaration
  "pub" "const" (identifier) @name "=" . [(field_expression) (identifier) (builtin_function)] @body)
  @definition.constant)
(enum_declaration (variable_declaration
  "const" (identifier) @name "=" . [
    (integer) (float) (string) (multiline_string) (character) (boolean)
    (struct_initializer) (anonymous_struct_initializer) (binary_expression)
    (unary_expression) (call_expression) (if_expression) (switch_expression)
    (block_expression) (labeled_statement) (comptime_expression) (index_expression)
    (array_type) (try_expression) (catch_expression) (null_coercion_expression)
    (parenthesized_expression) (range_expression)
  ] @body) @definition.constant)
(enum_declaration (variable_declaration
  "pub" "const" (identifier) @name "=" . [(field_expression) (identifier) (builtin_function)] @body)
  @definition.constant)
(union_declaration (variable_declaration
  "const" (identifier) @name "=" . [
    (integer) (float) (string) (multiline_string) (character) (boolean)
    (struct_initializer) (anonymous_struct_initializer) (binary_expression)
    (unary_expression) (call_expression) (if_expression) (switch_expression)
    (block_expression) (labeled_statement) (comptime_expression) (index_expression)
    (array_type) (try_expression) (catch_expression) (null_coercion_expression)
    (parenthesized_expression) (range_expression)
  ] @body) @definition.constant)
(union_declaration (variable_declaration
  "pub" "const" (identifier) @name "=" . [(field_expression) (identifier) (builtin_function)] @body)
  @definition.constant)

(comment) @comment

(call_expression function: (identifier) @reference.calls)
(call_expression function: (field_expression object: (_) @qualifier member: (identifier) @reference.calls))
((builtin_function
  (builtin_identifier) @_import
  (arguments (string (string_content) @reference.imports)))
  (#eq? @_import "@import"))

; Types in signatures and fields. A type parameter of one letter is none.
([
  (parameter type: (identifier) @reference.uses)
  (parameter type: (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (function_declaration type: (identifier) @reference.uses)
  (function_declaration type: (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (error_union_type ok: (identifier) @reference.uses)
  (error_union_type ok: (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (container_field type: (identifier) @reference.uses)
  (container_field type: (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (variable_declaration type: (identifier) @reference.uses)
  (variable_declaration type: (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (pointer_type (identifier) @reference.uses)
  (pointer_type (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (slice_type (identifier) @reference.uses)
  (slice_type (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (array_type (identifier) @reference.uses .)
  (array_type (field_expression object: (_) @qualifier member: (identifier) @reference.uses) .)
  (nullable_type (identifier) @reference.uses)
  (nullable_type (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
  (struct_initializer (identifier) @reference.uses)
  (struct_initializer (field_expression object: (_) @qualifier member: (identifier) @reference.uses))
] (#not-match? @reference.uses "^([A-Z]|Self)$"))
