import { DefinitionError } from '@modelwire/core'

/** Where in the seeds something stands. Records count from 0. */
export interface SeedPlace {
  /** Relative to the folder of the seeds. */
  readonly file?: string
  readonly index?: number
  /** The property of the record. */
  readonly key?: string
}

function whereOf({ file, index, key }: SeedPlace): { file?: string; key?: string } {
  const record = index === undefined ? '' : `[${index}]`
  const path = [record, key].filter((part) => part !== undefined && part !== '').join('.')
  return { ...(file === undefined ? {} : { file }), ...(path === '' ? {} : { key: path }) }
}

/** Something is wrong with seeds. `where.file` and `index` say with which record. */
export abstract class SeedError extends DefinitionError {
  readonly index?: number

  constructor(message: string, place: SeedPlace = {}, options?: ErrorOptions) {
    super(message, whereOf(place), options)
    if (place.index !== undefined) this.index = place.index
  }
}

/** The folder of the seeds does not exist. */
export class SeedFolderMissing extends SeedError {
  override readonly code = 'SEED_FOLDER_MISSING'
}

/** A seed file is not JSON, holds no list of records, or exports no function; a reference names no property. */
export class SeedFileInvalid extends SeedError {
  override readonly code = 'SEED_FILE_INVALID'
}

/** A file or a reference is named after no model, or `only` names no file. */
export class SeedNameUnknown extends SeedError {
  override readonly code = 'SEED_NAME_UNKNOWN'
}

/** Models require each other, so that none can be stored first. */
export class SeedCycle extends SeedError {
  override readonly code = 'SEED_CYCLE'
  /** The names of the models, each of which requires the next; the last is the first. */
  readonly models: readonly string[]

  constructor(models: readonly string[]) {
    super(`no model can be stored first: ${models.join(' → ')}. Make a key on this way optional`)
    this.models = models
  }
}

/** No record is like a `$ref` says. */
export class SeedReferenceMissing extends SeedError {
  override readonly code = 'SEED_REFERENCE_MISSING'
}

/** Several records are like a `$ref` says. */
export class SeedReferenceAmbiguous extends SeedError {
  override readonly code = 'SEED_REFERENCE_AMBIGUOUS'
}

/** Two seeds are about one record. */
export class SeedRecordTwice extends SeedError {
  override readonly code = 'SEED_RECORD_TWICE'
}

/** The model or the database refuses a record; the `cause` says why. */
export class SeedRecordRefused extends SeedError {
  override readonly code = 'SEED_RECORD_REFUSED'
}

/** A script of the seeds threw; the `cause` says what. */
export class SeedScriptFailed extends SeedError {
  override readonly code = 'SEED_SCRIPT_FAILED'
}

/** Records would be deleted in production. */
export class SeedResetRefused extends SeedError {
  override readonly code = 'SEED_RESET_REFUSED'
}
