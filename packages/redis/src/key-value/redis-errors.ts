import { ApiError, DataSourceUnavailable } from '@modelwire/core'
import { AccessRefused } from '@modelwire/core/connector'
import { KeyValueStoreFailed } from '@modelwire/key-value'

/** True for what Redis itself answers. The first word of its errors is their kind. */
const isAnswer = (error: Error): boolean => error.name === 'ReplyError'

/** Redis is up, but cannot be used at the moment. */
const passing = /^(?:LOADING|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|READONLY)\b/

/** Runs commands, translating errors of the client into those of a data source. */
export async function onRedis<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error)) throw error
    if (/^(?:NOAUTH\b|WRONGPASS\b|ERR invalid password)/.test(error.message)) throw new AccessRefused('login', error)
    const options = { cause: error }
    if (!isAnswer(error) || passing.test(error.message))
      throw new DataSourceUnavailable('cannot connect to Redis', options)
    throw new KeyValueStoreFailed('Redis refused the command', options)
  }
}
