; Haskell. A type signature and the equations below it are clauses of one function. Local
; bindings, data constructors and record fields are no symbols. What an instance defines is
; qualified by the instance's type, or by its class where the type has no name.

(haskell (header module: (module) @name) [(imports) (declarations)] @body)
  @definition.module

(data_type name: (_) @name constructors: (_)? @body) @definition.type
(newtype name: (_) @name constructor: (_)? @body) @definition.type
(type_synonym name: (_) @name) @definition.type
(type_family name: (_) @name closed_family: (_)? @body) @definition.type
(data_family name: (_) @name) @definition.type
(class name: (_) @name declarations: (_)? @body) @definition.class

(instance patterns: (type_patterns . [
  (name) @name
  (qualified module: (_) @qualifier id: (name) @name)
  (apply constructor: (name) @name)
  (parens type: (name) @name)
  (parens type: (apply constructor: (name) @name))
  (parens type: (apply constructor: (qualified module: (_) @qualifier id: (name) @name)))
  (parens type: (apply constructor: (apply constructor: (name) @name)))
  (parens type: (apply constructor: (apply constructor: (apply constructor: (name) @name))))]))
  @scope.type
(instance name: (_) @name declarations: (_)) @scope.type

(declarations [
  (signature name: (variable) @name)
  (signature name: (prefix_id (operator) @name))
  (function name: (variable) @name match: (_) @body)
  (function name: (prefix_id (operator) @name) match: (_) @body)
  (function (infix operator: (operator) @name) match: (_) @body)
  (function (infix operator: (infix_id (variable) @name)) match: (_) @body)
  (bind name: (variable) @name match: (_) @body)
  (bind name: (prefix_id (operator) @name) match: (_) @body)
] @definition.function.clause)
(class_declarations [
  (signature name: (variable) @name)
  (signature name: (prefix_id (operator) @name))
  (function name: (variable) @name match: (_) @body)
  (function name: (prefix_id (operator) @name) match: (_) @body)
  (function (infix operator: (operator) @name) match: (_) @body)
  (function (infix operator: (infix_id (variable) @name)) match: (_) @body)
  (bind name: (variable) @name match: (_) @body)
  (bind name: (prefix_id (operator) @name) match: (_) @body)
] @definition.function.clause)
(instance_declarations [
  (signature name: (variable) @name)
  (signature name: (prefix_id (operator) @name))
  (function name: (variable) @name match: (_) @body)
  (function name: (prefix_id (operator) @name) match: (_) @body)
  (function (infix operator: (operator) @name) match: (_) @body)
  (function (infix operator: (infix_id (variable) @name)) match: (_) @body)
  (bind name: (variable) @name match: (_) @body)
  (bind name: (prefix_id (operator) @name) match: (_) @body)
] @definition.function.clause)
(class_declarations (signature names: (binding_list
  name: (variable) @name @definition.function.clause)))

(foreign_import signature: (signature name: (variable) @name)) @definition.function
(pattern_synonym (equation synonym: (apply function: (constructor) @name)))
  @definition.function.clause
(pattern_synonym (signature synonym: (constructor) @name)) @definition.function.clause

(comment) @comment
(haddock) @comment
(pragma) @attribute

; Calls: what is applied, by juxtaposition, in back quotes or through an operator.
(apply function: (variable) @reference.calls)
(apply function: (constructor) @reference.calls)
(apply function: (qualified module: (_) @qualifier id: [(variable) (constructor)] @reference.calls))
(infix_id [(variable) (constructor)] @reference.calls)
(infix_id (qualified module: (_) @qualifier id: (_) @reference.calls))
(record expression: (constructor) @reference.calls)
((infix left_operand: (variable) @reference.calls operator: (operator) @_operator)
  (#match? @_operator "^([$.]|[$]!|<[$]>|<[*]>|=<<)$"))
((infix operator: (operator) @_operator right_operand: (variable) @reference.calls)
  (#match? @_operator "^([.]|>>=|>=>)$"))

; Classes.
(instance name: (name) @reference.implements)
(instance name: (qualified module: (_) @qualifier id: (name) @reference.implements))
(deriving_instance name: (name) @reference.implements)
(deriving classes: (name) @reference.implements)
(deriving classes: (tuple (name) @reference.implements))
(deriving classes: (parens (name) @reference.implements))
(class context: (context context: (apply constructor: (name) @reference.extends)))
(class context: (context context: (parens (apply constructor: (name) @reference.extends))))
(class context: (context context: (tuple (apply constructor: (name) @reference.extends))))

; Types wherever they are written.
((name) @reference.uses
  (#not-match? @reference.uses "^(Bool|Char|Double|Float|IO|Int|Integer|String)$"))

(import module: (module) @reference.imports)
(import module: (module) @reference.imports alias: (module) @import.alias)
