/** An argument of a method, as `accepts` has it. */
export interface Argument {
  readonly name: string
  readonly type: string
  /** A list of `type`. */
  readonly isList: boolean
  readonly required: boolean
  /** `path`, `query`, `header`, `body`, `form`, or `computed` where the server makes the value. */
  readonly source: string
}

/** A route of LoopBack with its method. */
export interface Operation {
  readonly verb: string
  /** Below the root of the API, with `:name` for arguments. */
  readonly path: string
  /** Such as `Customer.prototype.patchAttributes`. */
  readonly method: string
  readonly args: readonly Argument[]
}

export interface PropertyDescription {
  readonly type: string
  readonly isList: boolean
  readonly required: boolean
  readonly id: boolean
  readonly generated: boolean
  readonly hasDefault: boolean
  readonly length?: number
  readonly values?: readonly unknown[]
}

export interface RelationDescription {
  readonly kind: string
  readonly keyFrom: string
  readonly keyTo: string
  readonly target: string
  readonly embedded: boolean
  readonly polymorphic: boolean
  /** Another model stands between. */
  readonly through: boolean
}

export interface ValidationDescription {
  readonly property: string
  readonly kind: string
  readonly values?: readonly unknown[]
  readonly min?: number
  readonly max?: number
}

export interface ModelDescription {
  readonly isUser: boolean
  /** Its data source keeps files. */
  readonly isStorage: boolean
  readonly idName?: string
  readonly properties: Readonly<Record<string, PropertyDescription>>
  readonly relations: Readonly<Record<string, RelationDescription>>
  readonly validations: readonly ValidationDescription[]
}

/** What a started LoopBack says of an application. */
export interface Description {
  readonly version: string
  readonly root: string
  readonly operations: readonly Operation[]
  readonly models: Readonly<Record<string, ModelDescription>>
}
