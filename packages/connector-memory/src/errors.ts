import { DefinitionError } from '@modelwire/core'

/** The data file, or its journal, is not what this connector writes. It is left as it is. */
export class DataFileBroken extends DefinitionError {
  override readonly code = 'DATA_FILE_BROKEN'
}

/** Another connector, in this process or in another one, has the data file open. */
export class DataFileLocked extends DefinitionError {
  override readonly code = 'DATA_FILE_LOCKED'
}

/** The data file cannot be read, or nothing can be created beside it. */
export class DataFileUnusable extends DefinitionError {
  override readonly code = 'DATA_FILE_UNUSABLE'
}
