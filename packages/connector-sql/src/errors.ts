import { ApiError, DataSourceUnavailable } from '@modelwire/core'
import type { MigrationTask } from '@modelwire/core/connector'

/** A number would not be stored as it is: its column holds exact numbers, and fewer digits than it has. */
export class NumberNotExact extends ApiError {
  override readonly code = 'NUMBER_NOT_EXACT'
  override readonly statusCode = 422
}

/** A prepared statement is missing on the connection, or its table has changed: nothing was executed, another try may work. */
export class StatementOutdated extends DataSourceUnavailable {}

/** Records are to be locked outside of a transaction: the lock would end with the statement. */
export class LockOutsideTransaction extends ApiError {
  override readonly code = 'LOCK_OUTSIDE_TRANSACTION'
  override readonly statusCode = 500
}

/** The database has no table, or no column, for a model: it was not migrated. */
export class SchemaMissing extends ApiError {
  override readonly code = 'DATABASE_SCHEMA_MISSING'
  override readonly statusCode = 500
}

/** A record has undeclared properties, and its table has no column that could hold them. */
export class UndeclaredNotStored extends ApiError {
  override readonly code = 'UNDECLARED_NOT_STORED'
  override readonly statusCode = 422
}

/** A rename of a migration names what is not there, or leads to a name that no model has. */
export class RenameInvalid extends ApiError {
  override readonly code = 'MIGRATION_RENAME_INVALID'
  override readonly statusCode = 400
}

/** A text with several statements is to be run as one: the database would run the first of them only. */
export class SeveralStatements extends ApiError {
  override readonly code = 'MIGRATION_SEVERAL_STATEMENTS'
  override readonly statusCode = 400
}

/** A migration says `transaction = false`, and the database can only migrate in transactions. */
export class TransactionNeeded extends ApiError {
  override readonly code = 'MIGRATION_NEEDS_TRANSACTION'
  override readonly statusCode = 501
}

/** What a failed step leaves behind: nothing, the steps before it, or these and perhaps itself. */
export type StepEffect = 'nothing' | 'steps before' | 'unknown'

/** A step of a migration failed: `migration` and `position` say which, `cause` why, `effect` what of the migration took effect. */
export class MigrationStepFailed extends ApiError {
  override readonly code = 'MIGRATION_STEP_FAILED'
  override readonly statusCode = 500
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
      : `The steps before it took effect and stay. Once the cause is removed, the next run continues with step ${position}.`,
  unknown: () => 'The steps before it took effect and stay; whether this one did is unknown.'
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message } = cause
  const own = cause.cause instanceof Error ? cause.cause.message : ''
  return message.includes(own) ? message : `${message}: ${own}`
}
