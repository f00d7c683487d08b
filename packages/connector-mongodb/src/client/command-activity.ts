import type { ConnectorActivity, PoolState, StatementListener } from '@modelwire/core/connector'
import type { CommandFailedEvent, CommandSucceededEvent, MongoClient } from 'mongodb'

/** Commands that are counted under their names. */
const verbs: ReadonlySet<string> = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'insert',
  'update',
  'delete',
  'findAndModify',
  'bulkWrite',
  'getMore',
  'killCursors',
  'commitTransaction',
  'abortTransaction',
  'create',
  'createIndexes',
  'collMod',
  'ping'
])

/** The error of a write that was not carried out: the command itself succeeds. */
function writeErrorIn(reply: unknown): unknown {
  const errors: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'writeErrors') : undefined
  return Array.isArray(errors) ? errors[0] : undefined
}

/** Reports the connector's commands and connections, for clients opened after `listen`. */
export class CommandActivity implements ConnectorActivity {
  #listener: StatementListener | undefined
  #counts = { open: 0, used: 0, waiting: 0 }

  listen(listener: StatementListener): void {
    this.#listener = listener
  }

  /** The driver only reports commands if the client was created with that option. */
  get needsCommands(): boolean {
    return this.#listener !== undefined
  }

  pools(): PoolState[] {
    const { open, used, waiting } = this.#counts
    return this.#listener === undefined || open + waiting === 0 ? [] : [{ open, idle: open - used, waiting }]
  }

  /** Observes a client that was just created. */
  follow(client: MongoClient): void {
    const listener = this.#listener
    if (listener === undefined) return
    this.#countConnections(client)
    const report = (event: CommandSucceededEvent | CommandFailedEvent): void => {
      const { commandName, duration } = event
      const start = performance.now() - duration
      const verb = verbs.has(commandName) ? commandName : 'other'
      const error = 'failure' in event ? event.failure : writeErrorIn(event.reply)
      listener({ verb, start, duration, ...(error !== undefined && { error }) })
    }
    client.on('commandSucceeded', report)
    client.on('commandFailed', report)
  }

  #countConnections(client: MongoClient): void {
    const counts = { open: 0, used: 0, waiting: 0 }
    this.#counts = counts
    client.on('connectionCreated', () => void counts.open++)
    client.on('connectionClosed', () => void counts.open--)
    client.on('connectionCheckOutStarted', () => void counts.waiting++)
    client.on('connectionCheckOutFailed', () => void counts.waiting--)
    client.on('connectionCheckedOut', () => {
      counts.waiting--
      counts.used++
    })
    client.on('connectionCheckedIn', () => void counts.used--)
  }
}
