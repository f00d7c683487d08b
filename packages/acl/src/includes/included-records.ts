import { Found, Model, type ModelType, repository, type Row, typeOf } from '@modelwire/core'
import type { RowRecord } from '../rows/row-set.ts'

/** A related record with the model that it is of. */
export interface IncludedRecord extends RowRecord {
  readonly model: ModelType
}

function includedRecord(model: ModelType, row: Row, isWhole: boolean): IncludedRecord {
  return { model, id: repository.idOf(model, row), record: isWhole ? row : undefined }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/**
 * The records of a related value. They tell by themselves what they are of: relations may lead to records of several models.
 * @param otherwise the model of what does not tell, such as a part that is embedded
 */
export function includedRecords(value: unknown, otherwise: ModelType | undefined): readonly IncludedRecord[] {
  if (value instanceof Found) return value.rows.map((row) => includedRecord(value.model, row, true))
  if (Array.isArray(value)) return value.flatMap((item) => includedRecords(item, otherwise))
  // `fields` may have left something out of an instance.
  if (value instanceof Model) return [includedRecord(typeOf(value), value, false)]
  return isRow(value) && otherwise !== undefined ? [includedRecord(otherwise, value, true)] : []
}

/** The value with those records alone that `isShown` names by their positions in {@link includedRecords}. */
export function keepIncluded(value: unknown, isShown: readonly boolean[]): unknown {
  if (value instanceof Found) {
    const positions = value.rows.flatMap((_, at) => (isShown[at] === true ? [at] : []))
    return value.single && positions.length === 0 ? null : repository.pickRows(value, positions)
  }
  if (Array.isArray(value)) return value.filter((_, at) => isShown[at])
  return isShown[0] === true ? value : null
}
