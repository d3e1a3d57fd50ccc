"""What the query file of Haskell reads off a file."""

from __future__ import annotations

from plait.types import Relation
from tests.symbols.notation import docstring, lines, references, signature, symbols

SHAPES = """\
    {-# LANGUAGE GADTs #-}
    -- | Shapes in the plane.
    module Geometry.Plane
      ( Circle (..)
      ) where

    import Data.List
    import qualified Data.Map as M

    infixr 5 </>

    -- | The area.
    area :: Drawable a => Circle a -> Maybe Point -> Double
    area _ Nothing = 0
    area circle (Just point)
      | inside point = M.size (paths circle)
      | otherwise = twice 1
      where
        twice x = x * 2

    (</>) :: Path -> Path -> Path
    a </> b = join a b

    foldl' = undefined

    data Circle a = Circle { radius :: Double, center :: Point } | Dot
      deriving (Show, Eq)

    newtype Angle = Angle Double
    type Path = [Point]

    class Shape a => Drawable a where
      draw :: a -> Canvas
      draw = blank
      hide, show' :: a -> Canvas

    instance Drawable (Circle a) where
      draw circle = line `on` circle
      hide = id

    main = print $ area unit
    """


def test_every_kind_of_declaration_is_a_symbol() -> None:
    assert symbols("haskell", SHAPES) == [
        ("Geometry.Plane", "module"),
        ("Geometry.Plane.area", "function"),
        ("Geometry.Plane.</>", "function"),
        ("Geometry.Plane.foldl'", "function"),
        ("Geometry.Plane.Circle", "type"),
        ("Geometry.Plane.Angle", "type"),
        ("Geometry.Plane.Path", "type"),
        ("Geometry.Plane.Drawable", "class"),
        ("Geometry.Plane.Drawable.draw", "method"),
        ("Geometry.Plane.Drawable.hide", "method"),
        ("Geometry.Plane.Drawable.show'", "method"),
        ("Geometry.Plane.Circle.draw", "method"),
        ("Geometry.Plane.Circle.hide", "method"),
        ("Geometry.Plane.main", "function"),
    ]


def test_a_type_signature_and_its_equations_are_one_symbol() -> None:
    assert lines("haskell", SHAPES)["Geometry.Plane.area"] == (12, 19)
    assert docstring("haskell", SHAPES, "Geometry.Plane.area") == "-- | The area."
    assert signature("haskell", SHAPES, "Geometry.Plane.area") == (
        "area :: Drawable a => Circle a -> Maybe Point -> Double"
    )


def test_the_signature_of_a_module_holds_its_exports() -> None:
    assert signature("haskell", SHAPES, "Geometry.Plane").endswith(
        "module Geometry.Plane ( Circle (..) ) where"
    )


def test_a_file_without_a_header_has_no_module() -> None:
    assert symbols("haskell", "main = print 1\n") == [("main", "function")]


def test_calls_are_what_is_applied() -> None:
    called = references("haskell", SHAPES, Relation.CALLS)

    assert {"inside", "size", "paths", "twice", "join", "on", "print", "area"} <= set(called)


def test_instances_and_deriving_implement_and_contexts_extend() -> None:
    assert references("haskell", SHAPES, Relation.IMPLEMENTS) == ["Show", "Eq", "Drawable"]
    assert references("haskell", SHAPES, Relation.EXTENDS) == ["Shape"]


def test_uses_are_types_but_no_builtin() -> None:
    used = set(references("haskell", SHAPES, Relation.USES))

    assert {"Maybe", "Point", "Canvas", "Circle", "Path"} <= used
    assert not used & {"Double", "Int"}


def test_imports_are_modules_as_written() -> None:
    assert references("haskell", SHAPES, Relation.IMPORTS) == ["Data.List", "Data.Map"]


def test_operators_are_symbols_wherever_they_are_defined() -> None:
    text = """\
        module M where

        (<+>) a b = a
        (|>) = flip id
        x `on` y = x

        class Monoid' a where
          (<.>) :: a -> a -> a
          (<.>) a b = a
          a </> b = b
          empty _ = 1

        instance Monoid' [a] where
          (<.>) = mappend
          a </> b = b
        """

    assert symbols("haskell", text) == [
        ("M", "module"),
        ("M.<+>", "function"),
        ("M.|>", "function"),
        ("M.on", "function"),
        ("M.Monoid'", "class"),
        ("M.Monoid'.<.>", "method"),
        ("M.Monoid'.</>", "method"),
        ("M.Monoid'.empty", "method"),
        ("M.Monoid'.<.>", "method"),
        ("M.Monoid'.</>", "method"),
    ]


def test_families_synonyms_and_foreign_functions_are_symbols() -> None:
    text = """\
        -- Grows.
        {-# INLINE grow #-}
        foreign import ccall "grow" grow :: Double -> Double
        type family Elem a where
          Elem Text = Char
        data family Store a
        pattern Pair :: a -> b -> (a, b)
        pattern Pair x y = (x, y)
        pattern One x = [x]
        """

    assert symbols("haskell", text) == [
        ("grow", "function"),
        ("Elem", "type"),
        ("Store", "type"),
        ("Pair", "function"),
        ("One", "function"),
    ]
    assert lines("haskell", text)["grow"] == (1, 3)


def test_every_way_to_be_an_instance_is_seen() -> None:
    text = """\
        newtype A = A Int deriving Show
        newtype B = B Int deriving (Eq)
        deriving instance Ord A
        instance M.Semigroup A where
          a <> b = a
        class (Eq a, Show a) => C a
        class (Ord a) => D a
        """

    assert references("haskell", text, Relation.IMPLEMENTS) == ["Show", "Eq", "Ord", "Semigroup"]
    assert references("haskell", text, Relation.EXTENDS) == ["Eq", "Show", "Ord"]


def test_constructors_and_composed_functions_are_called() -> None:
    text = "f x = Just x\ng = P { n = 1 }\nh = first . second\ni = a `M.on` b\n"

    assert references("haskell", text, Relation.CALLS) == ["Just", "P", "first", "second", "on"]
