import type {
  ArrayOptions,
  DateOptions,
  IntegerOptions,
  NumberOptions,
  ObjectOptions,
  SchemaOptions,
  StringOptions,
  TArray,
  TBoolean,
  TDate,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNumber,
  TObject,
  TProperties,
  TSchema,
  TString,
  Union,
  UnsafeOptions,
  TUnsafe,
  Static,
  TUnion
} from '@sinclair/typebox'
import { Errors, type ValueError } from '@sinclair/typebox/errors'
import { isPlainObject } from './clone-plain.ts'
import { InvalidOption } from './errors.ts'

/** Keywords for values that the server fills in if new data lacks the property. */
export interface HasDefault {
  readonly default: unknown
}

/** The keyword of the id property. */
export interface IsId {
  readonly id: true
}

type Filled = { readonly default: unknown } | { readonly defaultFn: unknown }

declare module '@sinclair/typebox' {
  /**
   * Schema types lose their options: these overloads preserve that there is a default, so that `create` does not require
   * the property.
   */
  interface JsonTypeBuilder {
    String(options: StringOptions & Filled & IsId): TString & HasDefault & IsId
    String(options: StringOptions & IsId): TString & IsId
    String(options: StringOptions & Filled): TString & HasDefault
    Number(options: NumberOptions & Filled): TNumber & HasDefault
    Number(options: NumberOptions & IsId): TNumber & IsId
    Integer(options: IntegerOptions & Filled): TInteger & HasDefault
    Integer(options: IntegerOptions & IsId): TInteger & IsId
    Boolean(options: SchemaOptions & Filled): TBoolean & HasDefault
    Array<Type extends TSchema>(items: Type, options: ArrayOptions & Filled): TArray<Type> & HasDefault
    Object<T extends TProperties>(properties: T, options: ObjectOptions & Filled): TObject<T> & HasDefault
    Literal<V extends TLiteralValue>(value: V, options: SchemaOptions & Filled): TLiteral<V> & HasDefault
    Union<Types extends TSchema[]>(types: [...Types], options: SchemaOptions & Filled): Union<Types> & HasDefault
    Unsafe<T>(options: UnsafeOptions & Filled): TUnsafe<T> & HasDefault
  }
  interface JavaScriptTypeBuilder {
    Date(options: DateOptions & Filled): TDate & HasDefault
  }
}

/** A problem with a value. */
export interface DescribedProblem {
  /** The position of the value, as a JSON pointer. */
  readonly path: string
  /** The path of the value, joined by dots. */
  readonly key: string
  /** TypeBox's message; for a union the requirements of each alternative. */
  readonly text: string
  /** The same for use within a sentence: in lower case. */
  readonly expected: string
  /** The value itself. */
  readonly value: unknown
  /** The schema's description of the value, or of its container. */
  readonly description: string | undefined
}

const descriptionOf = ({ schema }: ValueError): string | undefined =>
  typeof schema.description === 'string' ? schema.description : undefined

const joined = (texts: readonly string[]): string =>
  [...new Set(texts)].join(', or ').replaceAll(', or Expected', ', or')

/** The keys of a JSON pointer, with dots between them. @see RFC 6901, section 4 */
const keysOf = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

/** Describes a problem. If an alternative of a union fails below the value itself, the value was meant to be that one. */
export function describeProblem(problem: ValueError): DescribedProblem {
  const description = descriptionOf(problem)
  const alternatives = problem.errors.flatMap((errors) => errors.First() ?? [])
  const deeper = alternatives.find(({ path }) => path.length > problem.path.length)
  if (deeper !== undefined) {
    const found = describeProblem(deeper)
    return { ...found, description: found.description ?? description }
  }
  const text =
    alternatives.length === 0 ? problem.message : joined(alternatives.map((each) => describeProblem(each).text))
  const expected = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
  return { path: problem.path, key: keysOf(problem.path), text, expected, value: problem.value, description }
}

/** The first problem of a value that does not match a schema; undefined if it matches. */
export function problemOf(schema: TSchema, value: unknown): DescribedProblem | undefined {
  const problem = Errors(schema, [], value).First()
  return problem && describeProblem(problem)
}

type FilledObject<Properties> = {
  [Key in keyof Properties as Properties[Key] extends HasDefault ? Key : never]: WithDefaults<Properties[Key]>
}
type OtherProperties<Options, Properties> = {
  [Key in keyof Options as Key extends keyof FilledObject<Properties> ? never : Key]: WithDefaults<
    Properties[Key & keyof Properties]
  >
}

/** Options validated against `Schema`, after `fillDefaults`: properties with defaults are present. */
export type WithDefaults<Schema> =
  Schema extends TObject<infer Properties>
    ? OtherProperties<Static<Schema>, Properties> & FilledObject<Properties>
    : Schema extends TUnion<infer Members>
      ? WithDefaults<Members[number]>
      : Schema extends TSchema
        ? Static<Schema>
        : never

/** The options of an object, or of the object among the members of a union. */
function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  // TypeBox leaves further keywords of a schema untyped.
  const { properties, anyOf } = schema as { properties?: Record<string, TSchema>; anyOf?: TSchema[] }
  return properties ?? anyOf?.map(propertiesOf).find((found) => Object.keys(found).length > 0) ?? {}
}

function fill(schema: TSchema, input: unknown): unknown {
  const value = input === undefined ? (schema.default as unknown) : input
  if (!isPlainObject(value)) return value
  const filled = Object.entries(propertiesOf(schema)).map(
    ([key, property]) => [key, fill(property, value[key])] as const
  )
  const changed = filled.filter(([key, result]) => result !== value[key])
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/**
 * `options` with the defaults of `schema` for absent or undefined values, also in nested objects: one that may itself be
 * absent is filled if its default is `{}`. Anything without missing values stays the same object.
 * @param options checked against `schema`
 */
export function fillDefaults<Schema extends TSchema>(schema: Schema, options: Static<Schema>): WithDefaults<Schema> {
  // The type describes what `fill` does.
  return fill(schema, options) as WithDefaults<Schema>
}

/** What Fastify itself reads from the options of a plugin. */
const optionsOfFastify: ReadonlySet<string> = new Set(['prefix', 'logLevel', 'logSerializers'])

/**
 * Throws for options or settings that do not match their schema.
 * @param owner its name, for the error, and their place in the configuration
 * @throws {InvalidOption} one is unknown or malformed; `where.key` names it
 */
export function refuseMalformed(
  schema: TObject,
  options: object,
  { name, place }: { readonly name: string; readonly place?: string }
): void {
  const problem = problemOf(schema, options)
  if (problem === undefined) return
  const { key: own, text, description } = problem
  const hint = description === undefined ? '' : ` (${description})`
  const key = [place, own].filter(Boolean).join('.')
  throw new InvalidOption(`the option "${own}" of ${name} is invalid: ${text}${hint}`, { key })
}

/**
 * Validates the options of a plugin, except those that Fastify reads, and returns them with their defaults.
 * @param plugin its name, for the error
 * @throws {InvalidOption} an option is unknown or malformed; `where.key` names it
 */
export function checkOptions<Schema extends TObject>(
  plugin: string,
  schema: Schema,
  options: object
): WithDefaults<Schema> {
  const own = Object.fromEntries(Object.entries(options).filter(([key]) => !optionsOfFastify.has(key)))
  refuseMalformed(schema, own, { name: plugin })
  // They have just been checked.
  return fillDefaults(schema, options as Static<Schema>)
}
