import { ChangeTransportFailed } from '@modelwire/changes'

/**
 * Carries out commands; what Redis or the client says becomes an error of the transport. The original is not kept: errors of the client
 * name the arguments of the command, a password among them.
 * @throws {ChangeTransportFailed}
 */
export async function onRedis<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new ChangeTransportFailed(`Redis: ${error instanceof Error ? error.message : String(error)}`)
  }
}
