; C. Prototypes define functions too: headers are where interfaces are read. A struct that
; is born in a typedef goes by the typedef's name.

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (pointer_declarator declarator: (function_declarator declarator: [
      (identifier) @name
      (parenthesized_declarator (identifier) @name)
    ]))
    (pointer_declarator declarator: (pointer_declarator declarator:
      (function_declarator declarator: (identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name))))
    ; int PRIVATE(name)(int) {}
    (function_declarator declarator: (function_declarator parameters: (parameter_list .
      (parameter_declaration type: (type_identifier) @name) .)))
  ]
  body: (_) @body) @definition.function

(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (pointer_declarator declarator: (function_declarator declarator: [
      (identifier) @name
      (parenthesized_declarator (identifier) @name)
    ]))
    (pointer_declarator declarator: (pointer_declarator declarator:
      (function_declarator declarator: (identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name))))
  ]) @definition.function.outer

; Macros the parser has not seen expanded (EXPORT int open(int); BEGIN_DECLS ...) leave
; prototypes inside errors or turn them into expressions.
((ERROR (function_declarator
  declarator: (identifier) @_macro
  (call_expression function: (identifier) @name)) @definition.function.outer)
 (#not-match? @_macro "[a-z]"))
((ERROR (function_declarator declarator: (identifier) @name) @definition.function.outer)
 (#match? @name "[a-z]"))
(expression_statement (pointer_expression
  argument: (call_expression function: (identifier) @name))) @definition.function.outer

(type_definition
  type: (struct_specifier body: (_) @body) @definition.struct
  declarator: (type_identifier) @name)
(type_definition
  type: (union_specifier body: (_) @body) @definition.union
  declarator: (type_identifier) @name)
(type_definition
  type: (enum_specifier body: (_) @body) @definition.enum
  declarator: (type_identifier) @name)

(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum

(type_definition
  type: [
    (type_identifier)
    (primitive_type)
    (sized_type_specifier)
    (macro_type_specifier)
    (struct_specifier !body)
    (union_specifier !body)
    (enum_specifier !body)
  ]
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator (type_identifier) @name)
      (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))
    ])
    (pointer_declarator declarator: (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))
    ]))
  ]) @definition.type

(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.constant

(declaration
  (type_qualifier)
  declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  ])) @definition.constant.outer
; tables of functions and the like, const or not
(declaration
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ]
    value: (initializer_list) @body)) @definition.constant.outer

(comment) @comment

(call_expression function: (identifier) @reference.calls)
(call_expression function: (field_expression
  argument: (_) @qualifier
  field: (_) @reference.calls))
(call_expression function: (parenthesized_expression (identifier) @reference.calls))
(type_identifier) @reference.uses
(preproc_include path: (_) @reference.imports)
