import { ApiError, DefinitionError } from '@modelwire/core'

/** The location of an error in the application folder. Lines and columns start at 1. */
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

/** The connector of a data source is not installed: nothing in the data source is accessible. */
export class ConnectorMissing extends ApiError {
  override readonly code = 'CONNECTOR_MISSING'
  override readonly statusCode = 501
}

/** Connectors of Modelwire are not installed, and the option `requireConnectors` is set; the message names their packages. */
export class ConnectorNotInstalled extends DefinitionError {
  override readonly code = 'CONNECTOR_NOT_INSTALLED'
}

/** A mail data source has a transport of an unsupported type. */
export class UnknownMailTransport extends DefinitionError {
  override readonly code = 'MAIL_TRANSPORT_UNKNOWN'
}

/** A middleware is neither known nor installed beside the application. */
export class UnknownMiddleware extends DefinitionError {
  override readonly code = 'MIDDLEWARE_UNKNOWN'
}

/** A middleware only existed in version 2 of LoopBack. */
export class MiddlewareRemoved extends DefinitionError {
  override readonly code = 'MIDDLEWARE_REMOVED'
}

/** A component is neither known nor installed beside the application. */
export class UnknownComponent extends DefinitionError {
  override readonly code = 'COMPONENT_UNKNOWN'
}

/** A member of the application is used that only exists once it boots. */
export class NotBooted extends DefinitionError {
  override readonly code = 'NOT_BOOTED'
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
    super('the server is overloaded; try again later')
  }
}

/** The configuration holds a setting that version 3 of LoopBack removed: every request of the REST API fails. */
export class RemovedSetting extends ApiError {
  override readonly code = 'SETTING_REMOVED'
  override readonly statusCode = 500
}
