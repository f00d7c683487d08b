import { DefinitionError } from '@modelwire/server'

/** A key of a model definition, which `where.key` names, has the wrong type or an impossible value. */
export class InvalidDefinition extends DefinitionError.with({ code: 'MODEL_DEFINITION_INVALID' }) {}
/** In version 3, a property name contains a dot, which filters read as a path. */
export class DottedPropertyName extends DefinitionError.with({ code: 'PROPERTY_NAME_HAS_DOT' }) {}
/** In version 3, a model is named `File`, a built-in type: rename it, and set `plural` to keep its path. */
export class ReservedModelName extends DefinitionError.with({ code: 'MODEL_NAME_RESERVED' }) {}
/** A type is neither built in nor a model, or a schema has no counterpart: correct it, or set `modelwireType` in the schema. */
export class UnknownPropertyType extends DefinitionError.with({ code: 'PROPERTY_TYPE_UNKNOWN' }) {}
/** The model named in `base` does not exist, or two models extend each other. */
export class UnknownBaseModel extends DefinitionError.with({ code: 'BASE_MODEL_UNKNOWN' }) {}
/** A mixin that a model names does not exist: define it, or set it to false. */
export class UnknownMixin extends DefinitionError.with({ code: 'MIXIN_UNKNOWN' }) {}
/** The data source of a model is not in `dataSources`. */
export class UnknownDataSource extends DefinitionError.with({ code: 'DATA_SOURCE_UNKNOWN' }) {}
/** A model with this name is already defined. */
export class DuplicateModel extends DefinitionError.with({ code: 'MODEL_DEFINED_TWICE' }) {}
/** No model has this name: define it first, or check the spelling. */
export class UnknownModel extends DefinitionError.with({ code: 'MODEL_UNKNOWN' }) {}
/** A model, property, guard or operation is added after `rest` was registered: register `rest` last. */
export class RegistrySealed extends DefinitionError.with({ code: 'REGISTRY_SEALED' }) {}
/** A relation is malformed (`where.key` says where), its name is taken, or code uses a relation that the model does not have. */
export class InvalidRelation extends DefinitionError.with({ code: 'RELATION_INVALID' }) {}
/** The model that a relation leads to, or through, is not defined. The report of an application folder says so instead. */
export class RelationTargetMissing extends DefinitionError.with({ code: 'RELATION_TARGET_MISSING' }) {}
