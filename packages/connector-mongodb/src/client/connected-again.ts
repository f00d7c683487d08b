import { type MongoClient, MongoTopologyClosedError } from 'mongodb'

/**
 * Carries out work of the driver. It gives a client up for good whose first connection failed, and sends nothing then: such a client
 * is connected anew, so that a server which comes later is used.
 */
export async function connectedAgain<Result>(client: () => MongoClient, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MongoTopologyClosedError)) throw error
    await client().connect()
    return work()
  }
}
