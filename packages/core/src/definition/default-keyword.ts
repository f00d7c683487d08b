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
  TUnsafe
} from '@sinclair/typebox'

/** Keywords by which the server fills in a property that new data lacks. */
export interface HasDefault {
  readonly default: unknown
}

/** The keyword of the property that is the id. */
export interface IsId {
  readonly id: true
}

type Filled = { readonly default: unknown } | { readonly defaultFn: unknown }

declare module '@sinclair/typebox' {
  /** The types of schemas forget their options: these overloads keep that there is a default, so that `create` need not be given one. */
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
