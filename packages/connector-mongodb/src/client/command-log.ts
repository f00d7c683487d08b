import type { MongoClient } from 'mongodb'

/** Called for every command: its name and its collection, without values, and its duration in milliseconds. */
export type CommandLog = (command: string, duration: number) => void

const toStandardError = (line: string): void => void process.stderr.write(line)

/** The listener of `debug` and `onCommand`. */
export function readLog(
  settings: Readonly<Record<string, unknown>>,
  write: (line: string) => void = toStandardError
): CommandLog | undefined {
  const { debug, onCommand } = settings
  // A function in the settings can only have been put there to be called like this.
  if (typeof onCommand === 'function') return onCommand as CommandLog
  if (debug !== true) return undefined
  return (command, duration) => write(`${command} -- ${duration.toFixed(1)} ms\n`)
}

/** Logs the commands of a client, which must be created with `monitorCommands`. */
export function logCommands(client: MongoClient, log: CommandLog): void {
  const collections = new Map<number, unknown>()
  client.on('commandStarted', ({ requestId, command, commandName }) => {
    collections.set(requestId, Reflect.get(Object(command), commandName))
  })
  const report = ({
    requestId,
    commandName,
    duration
  }: {
    requestId: number
    commandName: string
    duration: number
  }) => {
    const collection = collections.get(requestId)
    collections.delete(requestId)
    log(typeof collection === 'string' ? `${commandName} ${collection}` : commandName, duration)
  }
  client.on('commandSucceeded', report)
  client.on('commandFailed', report)
}
