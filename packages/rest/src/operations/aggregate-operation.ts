import { argument, dateParts, repository, callArguments } from '@modelwire/core/plugin'
import { describePredefined, type MakeOperation } from './describe-predefined.ts'

const names = { type: 'array', items: { type: 'string' } }
const byAlias = { type: 'object', additionalProperties: { type: 'string' } }
const measured = (description: string): object => ({ description, anyOf: [{ type: 'string' }, names, byAlias] })
const partOfDate = {
  type: 'object',
  properties: Object.fromEntries([...Object.keys(dateParts), 'as'].map((name) => [name, { type: 'string' }])),
  additionalProperties: false
}
const count = { type: 'integer', minimum: 0 }

/** The request as documents describe it; `compileAggregate` of core checks it. */
const requestSchema = {
  type: 'object',
  properties: {
    where: { type: 'object', description: 'Which records are read' },
    group: {
      type: 'array',
      description: 'Properties, and parts of dates such as {"year": "createdAt", "as": "y"}',
      items: { anyOf: [{ type: 'string' }, partOfDate] }
    },
    count: {
      description: 'true for the number of records; properties whose values are counted',
      anyOf: [{ type: 'boolean' }, { type: 'string' }, names, { type: 'object' }]
    },
    sum: measured('Properties to add up, or properties by aliases'),
    avg: measured('Properties to average, or properties by aliases'),
    min: measured('Properties whose minimum to return, or properties by aliases'),
    max: measured('Properties whose maximum to return, or properties by aliases'),
    having: { type: 'object', description: 'Conditions on values of the result' },
    order: { description: 'Values of the result to order by', anyOf: [{ type: 'string' }, names] },
    limit: { ...count, description: 'Rows of the result' },
    skip: { ...count, description: 'Rows to skip' }
  },
  additionalProperties: false
} as const

const requestArgument = argument(
  'filter',
  'query',
  { kind: 'object' },
  { required: true, description: 'What to aggregate, and what to group it by', documentedSchema: requestSchema }
)

/** The aggregate operation, for models that allow clients to use it. */
export const aggregate: MakeOperation = (model) =>
  describePredefined(model, 'aggregate', {
    accepts: [requestArgument, callArguments.options],
    returns: { name: 'data', root: true, type: { kind: 'array', items: { kind: 'object' } } },
    endpoints: [['GET', '/aggregate']],
    description: 'Sum, average and count records by groups',
    needs: ['find'],
    invoke: (context) => repository.aggregate(model, context.args['filter'], context)
  })
