import { Type } from '@sinclair/typebox'
import { defaultAttemptLimits } from './attempt-limiter.ts'

const { failures, accountFailures } = defaultAttemptLimits

/** The options of plugins that count attempts per account. */
export const attemptOptions = {
  failures: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: failures,
      unit: 'attempts',
      description:
        'failed attempts of one address at one account after which each further one has to wait, longer each time'
    })
  ),
  accountFailures: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: accountFailures,
      unit: 'attempts',
      description: 'the same of all addresses together; an address from which the account was used before is spared'
    })
  )
}
