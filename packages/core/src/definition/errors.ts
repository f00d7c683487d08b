/**
 * Something in the application's own definitions is wrong. Thrown while the application is built, never per request.
 * `file` and `key` locate it, when known.
 */
export abstract class DefinitionError extends Error {
  abstract readonly code: string
  readonly statusCode = 500
  readonly where: { model?: string; file?: string; key?: string }
  constructor(message: string, where: { model?: string; file?: string; key?: string } = {}, options?: ErrorOptions) {
    const place = [where.file, where.model && `model ${where.model}`, where.key && `key ${where.key}`]
      .filter(Boolean)
      .join(', ')
    super(place ? `${message} (${place})` : message, options)
    this.where = where
    this.name = new.target.name
  }
}

/** The definition is malformed: a key has the wrong type or an impossible value. */
export class InvalidDefinition extends DefinitionError {
  override readonly code = 'MODEL_DEFINITION_INVALID'
}

/** A property name holds a dot, which filters read as a path. */
export class DottedPropertyName extends DefinitionError {
  override readonly code = 'PROPERTY_NAME_HAS_DOT'
}

/** A model is named File, which is a built-in type of remote methods. */
export class ReservedModelName extends DefinitionError {
  override readonly code = 'MODEL_NAME_RESERVED'
}

/** A property's type is unknown. */
export class UnknownPropertyType extends DefinitionError {
  override readonly code = 'PROPERTY_TYPE_UNKNOWN'
}

/** The model named in `base` does not exist. */
export class UnknownBaseModel extends DefinitionError {
  override readonly code = 'BASE_MODEL_UNKNOWN'
}

/** A mixin that a model names does not exist. */
export class UnknownMixin extends DefinitionError {
  override readonly code = 'MIXIN_UNKNOWN'
}

/** The data source that a model wants does not exist. */
export class UnknownDataSource extends DefinitionError {
  override readonly code = 'DATA_SOURCE_UNKNOWN'
}

/** A model with this name is defined already. */
export class DuplicateModel extends DefinitionError {
  override readonly code = 'MODEL_DEFINED_TWICE'
}

/** No model has this name. */
export class UnknownModel extends DefinitionError {
  override readonly code = 'MODEL_UNKNOWN'
}

/** Models and operations cannot change once routes are mounted. */
export class RegistrySealed extends DefinitionError {
  override readonly code = 'REGISTRY_SEALED'
}

/** An option of a plugin is malformed. */
export class InvalidOption extends DefinitionError {
  override readonly code = 'OPTION_INVALID'
}

/** Environment variables that an application needs are missing or malformed. */
export class EnvironmentInvalid extends DefinitionError {
  override readonly code = 'ENVIRONMENT_INVALID'
}

/** A relation, or a key of one, is defined wrongly. */
export class InvalidRelation extends DefinitionError {
  override readonly code = 'RELATION_INVALID'
}

/** The model that a relation leads to, or through, does not exist. */
export class RelationTargetMissing extends DefinitionError {
  override readonly code = 'RELATION_TARGET_MISSING'
}
