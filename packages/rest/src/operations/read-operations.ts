import { type ModelType, type Operation, type OperationContext, repository } from '@modelwire/core'
import { describeOperation, filterArgument, idArgument, namedReturn, optionsArgument, recordReturn, whereArgument } from './describe-operation.ts'

const isEmpty = ({ result }: OperationContext): boolean => result === undefined || result === null

/** True for HEAD on a record that does not exist. */
function headFoundNothing({ endpoint, result }: OperationContext): boolean {
  const answer: unknown = result
  return endpoint?.verb === 'HEAD' && typeof answer === 'object' && answer !== null && 'exists' in answer && answer.exists === false
}

/** The operations that read. */
export function readOperations(model: ModelType): Operation[] {
  return [
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
    }),
    describeOperation(model, {
      name: 'findById',
      accepts: [idArgument, filterArgument, optionsArgument],
      returns: recordReturn(model),
      endpoints: [['GET', '/:id']],
      accessType: 'READ',
      description: 'Find a record by its id',
      foundNothing: isEmpty,
      invoke: ({ args, options, wantsInstances }) =>
        wantsInstances ? repository.findById(model, args['id'], args['filter'], options) : repository.findRow(model, args['id'], args['filter'], options)
    }),
    describeOperation(model, {
      name: 'find',
      accepts: [filterArgument, optionsArgument],
      returns: recordReturn(model, true),
      endpoints: [['GET', '/']],
      accessType: 'READ',
      description: 'Find all records that match a filter',
      invoke: ({ args, options, wantsInstances }) =>
        wantsInstances ? repository.find(model, args['filter'], options) : repository.findRows(model, args['filter'], options)
    }),
    describeOperation(model, {
      name: 'findOne',
      accepts: [filterArgument, optionsArgument],
      returns: recordReturn(model),
      endpoints: [['GET', '/findOne']],
      accessType: 'READ',
      description: 'Find the first record that matches a filter',
      foundNothing: isEmpty,
      invoke: ({ args, options, wantsInstances }) =>
        wantsInstances ? repository.findOne(model, args['filter'], options) : repository.findFirstRow(model, args['filter'], options)
    }),
    describeOperation(model, {
      name: 'count',
      accepts: [whereArgument, optionsArgument],
      returns: namedReturn('count', 'number'),
      endpoints: [['GET', '/count']],
      accessType: 'READ',
      description: 'Count the records that match',
      invoke: ({ args, options }) => repository.count(model, args['where'], options)
    })
  ]
}
