import { Type } from '@sinclair/typebox'

/**
 * The options of plugins that count attempts per account. Ten typing errors are not an attack; a hundred wrong
 * passwords for one account are.
 */
export const attemptOptions = {
  failures: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 10,
      unit: 'attempts',
      description:
        'failed attempts of one address at one account after which each further one has to wait, longer each time'
    })
  ),
  accountFailures: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      unit: 'attempts',
      description: 'the same of all addresses together; an address from which the account was used before is spared'
    })
  )
}
