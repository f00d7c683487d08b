import { InvalidOption } from '@modelwire/core/connector'
import { MongoClient, type MongoClientOptions, MongoError } from 'mongodb'
import type { CommandActivity } from './command-activity.ts'
import { type CommandLog, logCommands } from './command-log.ts'

/**
 * The driver's client, which connects with its first command.
 * @throws {InvalidOption} the driver cannot read the address, or does not take an option
 */
export function openClient(
  address: string,
  options: MongoClientOptions,
  { log, activity }: { readonly log: CommandLog | undefined; readonly activity: CommandActivity }
): MongoClient {
  const needsCommands = log !== undefined || activity.needsCommands
  const client = makeClient(address, needsCommands ? { ...options, monitorCommands: true } : options)
  if (log !== undefined) logCommands(client, log)
  activity.follow(client)
  return client
}

/** @throws {InvalidOption} the driver cannot read the address, or does not take an option */
export function makeClient(address: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(address, options)
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new InvalidOption(`MongoDB's driver refuses the settings of the data source: ${reasonOf(error, address)}`)
  }
}

/** The module that reads addresses has an error of its own, which is not a MongoError. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof MongoError || (error instanceof Error && error.name === 'MongoParseError')

/** The driver repeats what it takes for a host: a part of the password, where that is not encoded. */
function reasonOf({ message }: Error, address: string): string {
  if (!address.includes('@') || !/unable to parse/i.test(message)) return message
  return 'a host or port in the url cannot be read; in user and password, each of : / ? # [ ] @ has to be percent-encoded'
}
