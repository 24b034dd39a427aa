import type { VocabularyEntry } from "../vocabulary.schema.ts";
import { readEntries } from "./entry-table.ts";

const statusTable = `
id | en | de | fr | es | it | da
concept | Concept | Konzept | Concept | Concepto | Concetto | Koncept
wip | WIP | In Arbeit | En cours | En curso | In corso | Undervejs
suspended | Suspended | Ausgesetzt | Suspendu | Suspendido | Sospeso | Sat på pause
abandoned | Abandoned | Aufgegeben | Abandonné | Abandonado | Abbandonato | Opgivet
active | Active | Aktiv | Actif | Activo | Attivo | Aktiv
inactive | Inactive | Inaktiv | Inactif | Inactivo | Inattivo | Inaktiv
unsupported | Unsupported | Nicht unterstützt | Non maintenu | Sin soporte | Non supportato | Ikke understøttet
moved | Moved | Umgezogen | Déplacé | Trasladado | Trasferito | Flyttet
`;

/** `custom_fields.code:developmentStatus`: the states of repostatus.org. */
export const developmentStatuses = (): VocabularyEntry[] => readEntries(statusTable);

/** Ids that are not the name in small letters. */
const languageIds: Record<string, string> = {
  "C++": "cpp",
  "C#": "c-sharp",
  "F#": "f-sharp",
  "Objective-C++": "objective-cpp",
};

const languageNames = `Ada Agda ALGOL APL AppleScript Assembly AutoHotkey AWK Ballerina Batchfile BASIC Brainfuck C C++ C#
Chapel Clojure CMake COBOL CoffeeScript Coq Crystal CSS CUDA Cython D Dart Delphi Dockerfile Eiffel Elixir Elm
Erlang F# Forth Fortran GAP GDScript GLSL GNUPlot Go Groovy Haskell Haxe HCL HLSL HTML IDL Idris Io Isabelle J
Janet Java JavaScript jq JSON Julia Kotlin LabVIEW Lean Lisp LLVM Lua Makefile Maple Mathematica MATLAB Maxima Mercury
Modelica Mojo Nextflow NetLogo Nim Nix Objective-C Objective-C++ OCaml Octave OpenCL OpenSCAD Pascal Perl PHP PL/SQL
PostScript PowerShell Processing Prolog Promela PureScript Python R Racket Raku ReScript Roff Ruby Rust SAS Sass Scala
Scheme Scilab Shell Simulink Smalltalk Snakemake Solidity SPARQL SPSS SQL Stan Stata Swift SystemVerilog Tcl TeX
TypeScript Vala Verilog VHDL Vue WebAssembly Wolfram XQuery XSLT YAML Zig`;

const idOf = (name: string): string => languageIds[name] ?? name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** `custom_fields.code:programmingLanguage`; an operator imports more. */
export const programmingLanguages = (): VocabularyEntry[] => [
  ...languageNames.split(/\s+/).map((name) => ({ id: idOf(name), title: { en: name } })),
  { id: "common-lisp", title: { en: "Common Lisp" } },
  { id: "emacs-lisp", title: { en: "Emacs Lisp" } },
  { id: "jupyter-notebook", title: { en: "Jupyter Notebook" } },
  { id: "standard-ml", title: { en: "Standard ML" } },
  { id: "vim-script", title: { en: "Vim Script" } },
  { id: "visual-basic", title: { en: "Visual Basic" } },
];
