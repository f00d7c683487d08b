import { LimitExceeded, ValidationError } from '../errors.ts'
import type { Row } from '../contract/row.ts'
import type { Condition } from '../contract/condition.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Problem, Rule } from '../rules/rule.ts'
import { readsValueAlone } from '../rules/rules.ts'
import { makeWrittenTogether } from './written-together.ts'
import { isTaken, isValidated, toDetails } from './validate-instance.ts'

/** How many records are read where rules look at more than the new values. */
const maxRecords = 10_000

/** A patch of many records. */
export interface PatchOfMany {
  readonly patch: Row
  /** The records to change; undefined: all. */
  readonly where: Condition | undefined
  /** Makes the record that results from a stored row. */
  readonly toRecord: (row: Row) => ModelInstance
  readonly options: Record<string, unknown>
}

/** True where the outcome of a rule may be another one after the patch. */
function isTouched({ kind, property, options }: Rule, patch: Row): boolean {
  if (kind === 'custom' || options['if'] !== undefined || options['unless'] !== undefined) return true
  return [property, options['scopedTo']].flat().some((name) => typeof name === 'string' && Object.hasOwn(patch, name))
}

const refuseUniquenessCheck = (): Promise<boolean> => Promise.reject(new TypeError('this rule reads other records'))

function valueProblems(rules: readonly Rule[], { patch, options }: PatchOfMany): Problem[] {
  return rules.flatMap((rule) => {
    const found = rule.check({ record: patch, options, isTaken: refuseUniquenessCheck })
    return found instanceof Promise ? [] : [...found]
  })
}

/** @throws {LimitExceeded} there are too many to look at */
async function recordsOf(model: ModelType, { where, patch, toRecord }: PatchOfMany): Promise<ModelInstance[]> {
  const found = await model.collection?.find({ where, order: [], skip: 0, limit: maxRecords + 1 })
  if (found !== undefined && found.length > maxRecords)
    throw new LimitExceeded(`the rules of ${model.name} must check each record: at most ${maxRecords} at once`)
  return (found ?? []).map((row) => toRecord({ ...row, ...patch }))
}

async function recordProblems(model: ModelType, rules: readonly Rule[], many: PatchOfMany): Promise<Problem[]> {
  const records = await recordsOf(model, many)
  const problems: Problem[] = []
  const together = makeWrittenTogether(model)
  for (const record of records) {
    const isTakenByAny = async (values: Readonly<Row>): Promise<boolean> => isTaken(model, record, values, together)
    for (const rule of rules)
      problems.push(...(await rule.check({ record, options: many.options, isTaken: isTakenByAny })))
    if (problems.length > 0) return problems
    together.add(record)
  }
  return problems
}

/**
 * Validates new values of many records as a patch of each of them would be. The records are only read if a rule reads more
 * than one value.
 * @throws {ValidationError} one of the records would break a rule that is about the new values
 * @throws {LimitExceeded} it requires reading too many records
 */
export async function validateEach(model: ModelType, many: PatchOfMany): Promise<void> {
  if (!isValidated(model, many.options)) return
  const { patch } = many
  const touched = model.rules.filter((rule) => isTouched(rule, patch))
  const problems = valueProblems(touched.filter(readsValueAlone), many)
  const others = touched.filter((rule) => !readsValueAlone(rule))
  if (problems.length === 0 && others.length > 0) problems.push(...(await recordProblems(model, others, many)))
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
}
