import {
  clonePlain,
  compileOptionalWhere,
  describe,
  isPlainObject,
  logicalKeys,
  type ModelType,
  relationOf,
  type RowsFunction
} from '@modelwire/core'
import { RowsFailed } from '../errors.ts'
import { keysIn } from './parts-of-where.ts'
import type { RowsQuestion, Where } from './row-set.ts'

/** A value that is absent would leave its condition out; one that is no number is a mistake as well. */
function holdsNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNothing)
  return isPlainObject(value) ? Object.values(value).some(holdsNothing) : value === undefined || Number.isNaN(value)
}

function checked(model: ModelType, answer: unknown): Where | undefined {
  if (answer === undefined || answer === false) return undefined
  if (!isPlainObject(answer)) throw new RowsFailed(`rows of ${model.name} must be a condition, not ${describe(answer)}`)
  if (holdsNothing(answer)) throw new RowsFailed(`the condition of rows of ${model.name} holds undefined, or NaN`)
  const wrong = keysIn(answer).find((key) => logicalKeys.has(key) || relationOf(model, key) !== undefined)
  if (wrong !== undefined)
    throw new RowsFailed(`rows of ${model.name} are told by conditions on their properties, not by ${wrong}`)
  compileOptionalWhere(model, answer)
  return clonePlain(answer)
}

/**
 * The condition that a function gives for a question; undefined where there are no such records.
 * @throws {RowsFailed} it throws, or gives what is no condition on properties of the records
 */
export async function conditionOf(rows: RowsFunction, question: RowsQuestion): Promise<Where | undefined> {
  const { model, principal, accessToken, method } = question
  const context = { principal, userId: principal?.userId, accessToken, model: model.name, method }
  try {
    return checked(model, await rows(context))
  } catch (error) {
    if (error instanceof RowsFailed) throw error
    throw new RowsFailed(`rows of ${model.name} failed`, { cause: error })
  }
}
