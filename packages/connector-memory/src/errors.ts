import { DefinitionError } from '@modelwire/core'

/** The data file of the memory connector, or its journal, is damaged, and was not changed: restore a copy, or move it away. */
export class DataFileBroken extends DefinitionError.with({ code: 'DATA_FILE_BROKEN' }) {}
/** Another connector, in this or another process, has the data file open. */
export class DataFileLocked extends DefinitionError.with({ code: 'DATA_FILE_LOCKED' }) {}
/** The data file cannot be read, or its companion files cannot be created: correct the path or its permissions. */
export class DataFileUnusable extends DefinitionError.with({ code: 'DATA_FILE_UNUSABLE' }) {}
