import {
  describeOperation,
  filterArgument,
  idArgument,
  type MakeOperation,
  namedReturn,
  type OperationContext,
  optionsArgument,
  recordReturn,
  repository,
  whereArgument
} from '@modelwire/core'

const isEmpty = ({ result }: OperationContext): boolean => result === undefined || result === null

/** True for HEAD on a record that does not exist. */
function headFoundNothing({ endpoint, result }: OperationContext): boolean {
  if (endpoint?.verb !== 'HEAD' || typeof result !== 'object' || result === null) return false
  return 'exists' in result && result.exists === false
}

const exists: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'exists',
    accepts: [idArgument, optionsArgument],
    returns: namedReturn('exists', 'boolean'),
    endpoints: [
      ['GET', '/:id/exists'],
      ['HEAD', '/:id']
    ],
    accessType: 'READ',
    description: 'Check whether a record exists',
    foundNothing: headFoundNothing,
    invoke: ({ args, options }) => repository.exists(model, args['id'], options)
  })

const findById: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'findById',
    accepts: [idArgument, filterArgument, optionsArgument],
    returns: recordReturn(model),
    endpoints: [['GET', '/:id']],
    accessType: 'READ',
    description: 'Find a record by its id',
    foundNothing: isEmpty,
    invoke: ({ args: { id, filter }, options, wantsInstances }) =>
      wantsInstances
        ? repository.findById(model, id, filter, options)
        : repository.findAnswerById(model, id, filter, options)
  })

const find: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'find',
    accepts: [filterArgument, optionsArgument],
    returns: recordReturn(model, true),
    endpoints: [['GET', '/']],
    accessType: 'READ',
    description: 'Find all records that match a filter',
    invoke: ({ args: { filter }, options, wantsInstances }) =>
      wantsInstances ? repository.find(model, filter, options) : repository.findAnswer(model, filter, options, false)
  })

const findOne: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'findOne',
    accepts: [filterArgument, optionsArgument],
    returns: recordReturn(model),
    endpoints: [['GET', '/findOne']],
    accessType: 'READ',
    description: 'Find the first record that matches a filter',
    foundNothing: isEmpty,
    invoke: ({ args: { filter }, options, wantsInstances }) =>
      wantsInstances ? repository.findOne(model, filter, options) : repository.findFirstAnswer(model, filter, options)
  })

const count: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'count',
    accepts: [whereArgument, optionsArgument],
    returns: namedReturn('count', 'number'),
    endpoints: [['GET', '/count']],
    accessType: 'READ',
    description: 'Count the records that match',
    invoke: ({ args, options }) => repository.count(model, args['where'], options)
  })

/** The operations that read. */
export const readOperations: readonly MakeOperation[] = [exists, findById, find, findOne, count]
