import type { RowsFunction } from '@modelwire/core'
import {
  clonePlain,
  compileOptionalWhere,
  describe,
  isPlainObject,
  type ModelType,
  repository,
  serverCall
} from '@modelwire/core/plugin'
import { RowsFailed } from '../errors.ts'
import type { RowsQuestion, Where } from './rows-question.ts'

/** A value that is absent would leave its condition out; one that is not a number is a mistake as well. */
function holdsNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNothing)
  return isPlainObject(value) ? Object.values(value).some(holdsNothing) : value === undefined || Number.isNaN(value)
}

async function checked(model: ModelType, answer: unknown): Promise<Where | undefined> {
  if (answer === undefined || answer === false) return undefined
  if (!isPlainObject(answer)) throw new RowsFailed(`rows of ${model.name} must be a condition, not ${describe(answer)}`)
  if (holdsNothing(answer)) throw new RowsFailed(`the condition of rows of ${model.name} holds undefined, or NaN`)
  compileOptionalWhere(model, await repository.resolveRelatedWhere(model, answer, serverCall()))
  return clonePlain(answer)
}

/**
 * The condition that a rule's function returns for a question; undefined where there are no such records.
 * @throws {RowsFailed} it throws, or returns no valid condition on the records
 */
export async function conditionOf(rows: RowsFunction, question: RowsQuestion): Promise<Where | undefined> {
  const { model, client, method } = question
  const { principal, accessToken } = client
  const context = { principal, userId: principal?.userId, accessToken, model: model.name, method }
  try {
    return await checked(model, await rows(context))
  } catch (error) {
    if (error instanceof RowsFailed) throw error
    throw new RowsFailed(`rows of ${model.name} failed`, { cause: error })
  }
}
