; C++. Namespaces qualify; prototypes and member declarations define functions too. A name
; written with its scope (Box::open) is qualified by it.

; test macros of GoogleTest and Boost look like functions without a type
((function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_test
    parameters: (parameter_list .
      (parameter_declaration type: (type_identifier) @receiver) .
      (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body) @definition.test
 (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
((function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_test
    parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body) @definition.test
 (#any-of? @_test "BOOST_AUTO_TEST_CASE" "TEST_CASE"))

; class EXPORT Name : Parent {} is misread as a function, for want of the macro
(function_definition
  type: [
    (class_specifier name: (type_identifier) !body)
    (struct_specifier name: (type_identifier) !body)
  ]
  declarator: (identifier) @name
  body: (_) @body) @definition.class

; int count() const EXCLUDES(mutex) {} is misread as a declaration and a constructor EXCLUDES
((field_declaration declarator: (function_declarator declarator: (field_identifier) @name))
  . (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @_macro)
    body: (_) @body) @definition.function
  (#match? @_macro "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$"))

; constructors have no type: inside the class by a plain name, outside by a qualified one
([
  (field_declaration_list (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name)
    body: (_)? @body) @definition.constructor)
  (field_declaration_list (declaration
    !type
    declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor)
  (field_declaration_list (template_declaration (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name)
    body: (_)? @body) @definition.constructor))
  (field_declaration_list (template_declaration (declaration
    !type
    declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor))
]
  (#not-match? @name "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$"))
(function_definition
  !type
  declarator: (function_declarator declarator: (qualified_identifier
    name: [
      (identifier)
      (qualified_identifier name: [(identifier) (qualified_identifier name: (identifier))])
    ]) @name)
  body: (_)? @body) @definition.constructor

(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator declarator: (function_declarator declarator: (_) @name))
    (pointer_declarator declarator: (pointer_declarator declarator:
      (function_declarator declarator: (_) @name)))
    (pointer_declarator declarator: (reference_declarator
      (function_declarator declarator: (_) @name)))
    (reference_declarator (function_declarator declarator: (_) @name))
    (operator_cast "operator" @name type: (_) @name)
  ]
  body: (_)? @body) @definition.function

; int count GUARDED_BY(mutex) is misread as a function of the macro's name
((field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator
      declarator: [(field_identifier) (operator_name)] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
      declarator: [(field_identifier) (operator_name)] @name)))
    (reference_declarator (function_declarator
      declarator: [(field_identifier) (operator_name)] @name))
  ]) @definition.function
 (#not-match? @name "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$"))

; a local variable with arguments looks like a prototype
((declaration
  declarator: [
    (function_declarator declarator: [
      (identifier) (qualified_identifier) (operator_name) (destructor_name)
    ] @name)
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (pointer_declarator declarator: (function_declarator declarator: [
      (identifier) (qualified_identifier) (operator_name)
    ] @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
      declarator: [(identifier) (qualified_identifier) (operator_name)] @name)))
    (reference_declarator (function_declarator declarator: [
      (identifier) (qualified_identifier) (operator_name)
    ] @name))
    (operator_cast "operator" @name type: (_) @name)
  ]) @definition.function.outer
 (#not-match? @name "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$"))

(type_definition
  type: (struct_specifier body: (_) @body) @definition.struct
  declarator: (type_identifier) @name)
(type_definition
  type: (union_specifier body: (_) @body) @definition.union
  declarator: (type_identifier) @name)
(type_definition
  type: (enum_specifier body: (_) @body) @definition.enum
  declarator: (type_identifier) @name)

(class_specifier
  name: [(type_identifier) @name (qualified_identifier) @name (template_type name: (_) @name)]
  body: (_) @body) @definition.class
(struct_specifier
  name: [(type_identifier) @name (qualified_identifier) @name (template_type name: (_) @name)]
  body: (_) @body) @definition.struct
(union_specifier
  name: [(type_identifier) @name (qualified_identifier) @name (template_type name: (_) @name)]
  body: (_) @body) @definition.union
(enum_specifier
  name: [(type_identifier) (qualified_identifier)] @name
  body: (_) @body) @definition.enum
(concept_definition name: (identifier) @name) @definition.trait

(alias_declaration name: (type_identifier) @name) @definition.type
(type_definition
  type: [
    (type_identifier)
    (primitive_type)
    (sized_type_specifier)
    (qualified_identifier)
    (template_type)
    (dependent_type)
    (decltype)
    (struct_specifier !body)
    (class_specifier !body)
    (union_specifier !body)
    (enum_specifier !body)
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (reference_declarator (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))
    ])
    (pointer_declarator declarator: (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))
    ]))
  ]) @definition.type

(namespace_definition name: (_) @name body: (_)) @scope.module

(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.constant

(declaration
  declarator: (init_declarator
    declarator: (identifier) @name
    value: (lambda_expression body: (_) @body))) @definition.function.outer
(declaration
  (type_qualifier)
  declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  ])) @definition.constant.outer
(declaration
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ]
    value: (initializer_list) @body)) @definition.constant.outer
(field_declaration
  (storage_class_specifier)
  (type_qualifier)
  declarator: (field_identifier) @name
  default_value: (_)) @definition.constant

(template_declaration) @extent
(comment) @comment

(call_expression function: [
  (identifier) @reference.calls
  (field_expression argument: (_) @qualifier field: [
    (field_identifier) @reference.calls
    (template_method name: (_) @reference.calls)
  ])
  (template_function name: (_) @reference.calls)
  (qualified_identifier scope: (_)? @qualifier name: [
    (identifier) @reference.calls
    (template_function name: (_) @reference.calls)
    (qualified_identifier scope: (_)? @qualifier name: [
      (identifier) @reference.calls
      (template_function name: (_) @reference.calls)
      (qualified_identifier scope: (_)? @qualifier name: [
        (identifier) @reference.calls
        (template_function name: (_) @reference.calls)
      ])
    ])
  ])
])
(new_expression type: [
  (type_identifier) @reference.calls
  (template_type name: (_) @reference.calls)
  (qualified_identifier scope: (_)? @qualifier name: [
    (type_identifier) @reference.calls
    (template_type name: (_) @reference.calls)
  ])
])

(base_class_clause [
  (type_identifier) @reference.extends
  (template_type name: (_) @reference.extends)
  (qualified_identifier scope: (_)? @qualifier name: [
    (type_identifier) @reference.extends
    (template_type name: (_) @reference.extends)
    (qualified_identifier scope: (_)? @qualifier name: [
      (type_identifier) @reference.extends
      (template_type name: (_) @reference.extends)
    ])
  ])
])

(type_identifier) @reference.uses
(qualified_identifier scope: (_) @qualifier name: (type_identifier) @qualified)
(using_declaration [(identifier) (qualified_identifier)] @reference.imports)
(preproc_include path: (_) @reference.imports)
