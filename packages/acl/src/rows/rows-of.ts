import type { RowsFunction } from '@modelwire/core'
import { keepPerText, describe, missingIn, repository, serverCall, type Client } from '@modelwire/core/plugin'
import { type ModelType, compileOptionalWhere } from '@modelwire/core/connector'
import { type Awaitable, clonePlain, isPlainObject } from '@modelwire/server'
import type { OwnedBy } from '../roles/owned-by.ts'
import type { RowsOf, RowsPath } from '../rules/rule.ts'
import { RowsFailed } from '../errors.ts'

/** A condition as written. */
export type Where = Readonly<Record<string, unknown>>

/** The caller and the requested records. */
interface RowsQuestion {
  readonly model: ModelType
  readonly client: Client
  /** Without `prototype.`. */
  readonly method: string
}

/** Finds the condition for the records of a rule; undefined if there are none. */
export type WhereOfRows = (rows: RowsOf, question: RowsQuestion) => Awaitable<Where | undefined>

/**
 * The user model at the end of a path of relations; undefined if the path does not lead to one, or leads to records of
 * several models.
 */
export function endOfPath(model: ModelType, [name, ...rest]: readonly string[]): ModelType | undefined {
  const to = name === undefined ? undefined : model.registry.relations.of(model).get(name)?.to
  return to === undefined || rest.length === 0 ? to : endOfPath(to, rest)
}

/** Records from which relations lead to the caller. */
function whereOfPath({ path }: RowsPath, { model, client }: RowsQuestion): Where | undefined {
  const { userId, userModel } = client.principal ?? {}
  const users = endOfPath(model, path)
  if (userId === undefined || users === undefined || (userModel ?? users.name) !== users.name) return undefined
  return { [[...path, users.idProperty?.name ?? 'id'].join('.')]: userId }
}

/** Makes the function that calls the functions of rules once per model, method and request. */
export function makeWhereOfRows(ownedBy: OwnedBy): WhereOfRows {
  const answers = new WeakMap<RowsFunction, ReturnType<typeof keepPerText<Promise<Where | undefined>>>>()
  const conditionOnce = (rows: RowsFunction, question: RowsQuestion): Promise<Where | undefined> => {
    const { client, model, method } = question
    const once = answers.get(rows) ?? keepPerText<Promise<Where | undefined>>()
    answers.set(rows, once)
    return once(client, JSON.stringify([model.name, method]), () => conditionOf(rows, question))
  }
  return (rows, question) => {
    if (rows === '$owner') return ownedBy(question.model, question.client.principal)
    return typeof rows === 'function' ? conditionOnce(rows, question) : whereOfPath(rows, question)
  }
}

async function checked(model: ModelType, answer: unknown): Promise<Where | undefined> {
  if (answer === undefined || answer === false) return undefined
  if (!isPlainObject(answer)) throw new RowsFailed(`rows of ${model.name} must be a condition, not ${describe(answer)}`)
  const path = missingIn(answer)
  if (path !== undefined) throw new RowsFailed(`the condition of rows of ${model.name} has no value for ${path}`)
  compileOptionalWhere(model, await repository.resolveRelatedWhere(model, answer, serverCall()))
  return clonePlain(answer)
}

/**
 * The condition that a rule's function returns for a question; undefined where there are no such records.
 * @throws {RowsFailed} it throws, or returns no valid condition on the records
 */
async function conditionOf(rows: RowsFunction, question: RowsQuestion): Promise<Where | undefined> {
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
