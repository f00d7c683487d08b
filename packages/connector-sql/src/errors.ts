import { ApiError, DataSourceUnavailable } from '@modelwire/core'
import type { MigrationTask } from '@modelwire/core/connector'

/** A column of exact numbers would round a number: send fewer digits, or declare the property as `string`. */
export class NumberNotExact extends ApiError.with({ code: 'NUMBER_NOT_EXACT', statusCode: 422 }) {}
/** A prepared statement is missing on the connection, or its table has changed: nothing was executed, another try may work. */
export class StatementOutdated extends DataSourceUnavailable {}
/** The database has no table, or no column, for a model: migrate it, or correct the mapping of the model. */
export class SchemaMissing extends ApiError.with({ code: 'DATABASE_SCHEMA_MISSING', statusCode: 500 }) {}
/** The table of a model is a view, or another, whose records the database does not let anybody change: change those that it shows. */
export class NotUpdatable extends ApiError.with({ code: 'NOT_UPDATABLE', statusCode: 422 }) {}
/** A record has undeclared properties, but its table has no column for them: declare them, leave them out, or migrate. */
export class UndeclaredNotStored extends ApiError.with({ code: 'UNDECLARED_NOT_STORED', statusCode: 422 }) {}
/** `--rename` names an unknown table or column, or a new name that already exists or that no model declares. */
export class RenameInvalid extends ApiError.with({ code: 'MIGRATION_RENAME_INVALID', statusCode: 400 }) {}
/** A step of a migration has several statements, and the driver would only run the first: make each its own step. */
export class SeveralStatements extends ApiError.with({ code: 'MIGRATION_SEVERAL_STATEMENTS', statusCode: 400 }) {}
/** A migration sets `transaction = false`, but the database only migrates in transactions: remove the line. */
export class TransactionNeeded extends ApiError.with({ code: 'MIGRATION_NEEDS_TRANSACTION', statusCode: 501 }) {}

/** The effect of a failed step: nothing, the steps before it, or these and perhaps itself. */
export type StepEffect = 'nothing' | 'steps before' | 'unknown'

/** A step of a migration file failed: `migration`, `position`, `effect` and `cause` say which, what took effect and why. */
export class MigrationStepFailed extends ApiError.with({ code: 'MIGRATION_STEP_FAILED', statusCode: 500 }) {
  readonly migration: string
  /** From 1. */
  readonly position: number
  readonly effect: StepEffect

  constructor(
    { name, direction, steps }: MigrationTask,
    { position, effect }: { position: number; effect: StepEffect },
    cause: unknown
  ) {
    const step = `step ${position} of ${steps.length} of the migration ${name} (${direction})`
    super(`${step} failed: ${reasonOf(cause)}\n  ${effects[effect](position)}`, { cause })
    this.migration = name
    this.position = position
    this.effect = effect
  }
}

const effects: Readonly<Record<StepEffect, (position: number) => string>> = {
  nothing: () => 'The migration was rolled back as a whole.',
  'steps before': (position) =>
    position === 1
      ? 'Nothing of the migration took effect.'
      : `The steps before it took effect and remain. Once the cause is removed, the next run continues with step ${position}.`,
  unknown: () => 'The steps before it took effect and remain; whether this one did is unknown.'
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message } = cause
  const own = cause.cause instanceof Error ? cause.cause.message : ''
  return message.includes(own) ? message : `${message}: ${own}`
}
