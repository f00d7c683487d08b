import { ApiError, DefinitionError } from '@modelwire/core'

/** Where in the application folder something is wrong. Lines and columns count from 1. */
export interface FilePlace {
  file?: string
  key?: string
  line?: number
  column?: number
}

/** The folder holds no LoopBack 3 application. */
export class AppFolderInvalid extends DefinitionError {
  override readonly code = 'APP_FOLDER_INVALID'
}

/** A configuration file cannot be read: `line` and `column` locate the error, for JSON. */
export class ConfigFileInvalid extends DefinitionError {
  override readonly code = 'CONFIG_FILE_INVALID'
  readonly line?: number
  readonly column?: number

  constructor(message: string, place: FilePlace, options?: ErrorOptions) {
    const { line, column, ...where } = place
    super(line === undefined ? message : `${message} at line ${line}, column ${column}`, where, options)
    if (line !== undefined) this.line = line
    if (column !== undefined) this.column = column
  }
}

/** A file of the environment, or a local one, has another kind of value at a key than the main file. */
export class ConfigMergeConflict extends DefinitionError {
  override readonly code = 'CONFIG_MERGE_CONFLICT'
}

/** A key of a configuration file has the wrong type or an impossible value. */
export class ConfigValueInvalid extends DefinitionError {
  override readonly code = 'CONFIG_VALUE_INVALID'
}

/** A `${name}` of a configuration file has no value, and `strictVariables` is set. */
export class ConfigVariableUnset extends DefinitionError {
  override readonly code = 'CONFIG_VARIABLE_UNSET'
}

/** Models extend each other in a circle. */
export class BaseModelCycle extends DefinitionError {
  override readonly code = 'BASE_MODEL_CYCLE'
}

/** A connector is named by something else than a text, or its package exports none. */
export class UnknownConnector extends DefinitionError {
  override readonly code = 'CONNECTOR_UNKNOWN'
}

/** The connector of a data source is not installed: nothing that the data source has can be reached. */
export class ConnectorMissing extends ApiError {
  override readonly code = 'CONNECTOR_MISSING'
  override readonly statusCode = 501
}

/** Connectors of Modelwire are not installed, and the option `requireConnectors` is set; the message names their packages. */
export class ConnectorNotInstalled extends DefinitionError {
  override readonly code = 'CONNECTOR_NOT_INSTALLED'
}

/** A transport of a mail data source is of a kind that nothing sends by. */
export class UnknownMailTransport extends DefinitionError {
  override readonly code = 'MAIL_TRANSPORT_UNKNOWN'
}

/** A middleware is neither known nor installed beside the application. */
export class UnknownMiddleware extends DefinitionError {
  override readonly code = 'MIDDLEWARE_UNKNOWN'
}

/** A middleware existed in version 2 of LoopBack alone. */
export class MiddlewareRemoved extends DefinitionError {
  override readonly code = 'MIDDLEWARE_REMOVED'
}

/** A component is neither known nor installed beside the application. */
export class UnknownComponent extends DefinitionError {
  override readonly code = 'COMPONENT_UNKNOWN'
}

/** A member of an application is used that exists only once it boots. */
export class NotBooted extends DefinitionError {
  override readonly code = 'NOT_BOOTED'
}

/** A script requires a part of LoopBack's packages that is not there. */
export class ModuleNotProvided extends DefinitionError {
  override readonly code = 'MODULE_NOT_PROVIDED'
}

/** A script uses a member of LoopBack's objects that is not there; the message names what to use. */
export class MemberNotProvided extends DefinitionError {
  override readonly code = 'MEMBER_NOT_PROVIDED'
}

/** A model wants its changes recorded for replication. */
export class ReplicationNotProvided extends DefinitionError {
  override readonly code = 'REPLICATION_NOT_PROVIDED'
}

/** A script uses a transaction that was committed or rolled back, or that its timeout ended. */
export class TransactionNotActive extends ApiError {
  override readonly code = 'TRANSACTION_NOT_ACTIVE'
  override readonly statusCode = 500
}

/**
 * A hook of LoopBack 1 called `next` with something that is not an error: LoopBack ends such a call without doing
 * anything.
 */
export class HookEndedCall extends ApiError {
  override readonly code = 'HOOK_ENDED_CALL'
  override readonly statusCode = 500
}

/** A call took longer than `methodTimeout`: its method, a hook or a rule did not call back. */
export class MethodTimeout extends ApiError {
  override readonly code = 'METHOD_TIMEOUT'
  override readonly statusCode = 503
}

/** The server does not keep up with its requests, and `loadShedding` refuses some. */
export class ServerOverloaded extends ApiError {
  override readonly code = 'SERVER_OVERLOADED'
  override readonly statusCode = 503

  constructor() {
    super('the server has too much to do; try again later')
  }
}

/** The configuration holds a setting that version 3 of LoopBack removed: every request of the REST API fails. */
export class RemovedSetting extends ApiError {
  override readonly code = 'SETTING_REMOVED'
  override readonly statusCode = 500
}

/** A script checks a principal of a type that is neither one of LoopBack's nor a model. */
export class PrincipalTypeInvalid extends ApiError {
  override readonly code = 'INVALID_PRINCIPAL_TYPE'
  override readonly statusCode = 400
}
