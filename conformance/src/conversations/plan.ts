/** What a property holds; it decides which values and conditions are sent. */
export type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'object'
  | 'any'
  | 'strings'
  | 'numbers'
  | 'geopoint'
  | 'box'

/** A property of a generated model. */
export interface PropertyPlan {
  readonly name: string
  readonly kind: Kind
}

/** The types of relations, as their routes differ. */
export type RelationType =
  | 'belongsTo'
  | 'hasOne'
  | 'hasMany'
  | 'through'
  | 'hasAndBelongsToMany'
  | 'embedsOne'
  | 'embedsMany'
  | 'referencesMany'

/** A relation of a generated model. */
export interface RelationPlan {
  readonly name: string
  readonly type: RelationType
  /** The related model; absent where a discriminator tells it. */
  readonly target?: string
  /** The model between, where there is one. */
  readonly through?: string
  /** As it stands in the model's file. */
  readonly json: Readonly<Record<string, unknown>>
}

/** A generated model: what its file says, and what requests have to know of it. */
export interface ModelPlan {
  readonly name: string
  readonly textIds: boolean
  readonly properties: readonly PropertyPlan[]
  readonly relations: readonly RelationPlan[]
  readonly scopes: readonly string[]
  /** Names of relations with `nestRemoting`. */
  readonly nested: readonly string[]
  readonly json: Readonly<Record<string, unknown>>
  readonly script?: string
}

/** A generated application: its models, and its files by path. */
export interface ApplicationPlan {
  readonly models: readonly ModelPlan[]
  readonly files: Readonly<Record<string, string>>
}

/** One request of a conversation. */
export interface ConversationRequest {
  /** The kind of request, by which differences are grouped. */
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
