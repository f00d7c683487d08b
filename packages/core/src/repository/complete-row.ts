import type { Row } from '../connector/connector.ts'
import type { ModelType } from '../model/model-type.ts'
import { usableOr } from '../values/coerce-value.ts'
import { setOwn } from '../values/clone-plain.ts'

/**
 * The defaults that a stored row lacks, because it is older than they are; undefined where nothing is missing.
 * `applyDefaultsOnReads: false` of the model leaves such records as they are, as in LoopBack 3.
 */
export function missingDefaults(model: ModelType, row: Row): Row | undefined {
  let missing: Row | undefined
  for (const { name, makeDefault, coerce } of model.readDefaults) {
    const value: unknown = row[name] === undefined ? makeDefault?.() : undefined
    if (value !== undefined) setOwn((missing ??= {}), name, value === null ? null : usableOr(coerce(value)))
  }
  return missing
}

/** A row as it is read; the stored one itself where it is complete. */
export function completeRow(model: ModelType, row: Row): Row {
  const missing = missingDefaults(model, row)
  return missing === undefined ? row : { ...row, ...missing }
}

/** Rows as they are read. */
export function completeRows(model: ModelType, rows: readonly Row[]): readonly Row[] {
  return model.readDefaults.length === 0 ? rows : rows.map((row) => completeRow(model, row))
}
