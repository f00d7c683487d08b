import { ChangeTransportFailed } from '@modelwire/changes'
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'

/** Something else was stored than what is expected. */
export const isConflict = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
    error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)

/** The error of the transport that stands for one of the client. */
export const failureOf = (error: unknown): ChangeTransportFailed =>
  error instanceof ChangeTransportFailed
    ? error
    : new ChangeTransportFailed(`NATS: ${error instanceof Error ? error.message : String(error)}`, { cause: error })

/** Asks the server; what it or the client says becomes an error of the transport. @throws {ChangeTransportFailed} */
export async function onNats<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(error)
  }
}
