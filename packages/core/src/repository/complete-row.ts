import type { Row } from '../contract/row.ts'
import type { ModelType } from '../contract/model-type.ts'
import { readAny } from '../types/scalar-coercions.ts'
import { usableOr } from '../values/unusable.ts'
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

function textsAsJson(model: ModelType, row: Row): Row | undefined {
  if (model.readTexts.length === 0) return undefined
  const texts = model.readTexts.filter((name) => typeof row[name] === 'string')
  return texts.length === 0 ? undefined : Object.fromEntries(texts.map((name) => [name, readAny(row[name])]))
}

/** A row as it is read; the stored one itself where it is complete. */
export function completeRow(model: ModelType, row: Row): Row {
  const missing = missingDefaults(model, row)
  const read = textsAsJson(model, row)
  return missing === undefined && read === undefined ? row : { ...row, ...missing, ...read }
}

/** True where no row of the model lacks anything, or is read in another form. */
export const isShownAsStored = ({ readDefaults, readTexts }: ModelType): boolean =>
  readDefaults.length === 0 && readTexts.length === 0
