import { ChangeTransportFailed } from '../errors.ts'
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'

/** True for the error that something other than the expected value was stored. */
export const isConflict = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
    error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)

/** Converts an error of the client to one of the transport. */
export const failureOf = (error: unknown): ChangeTransportFailed =>
  error instanceof ChangeTransportFailed
    ? error
    : new ChangeTransportFailed(`NATS: ${error instanceof Error ? error.message : String(error)}`, { cause: error })

/**
 * Calls the server, converting errors to those of the transport.
 * @throws {ChangeTransportFailed}
 */
export async function onNats<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(error)
  }
}
