import type { Operation } from '@modelwire/core'

/** What LoopBack's document says of one of its own methods. */
export interface MethodText {
  readonly summary: string
  /** Descriptions of arguments by name. */
  readonly arguments?: Readonly<Record<string, string>>
  /** The schema of the answer, where it says more than the type. */
  readonly answer?: Readonly<Record<string, unknown>>
}

const data = 'Model instance data'
const pairs = 'An object of model property name/value pairs'
const where = 'Criteria to match model instances'
const id = 'Model id'
const filter =
  'Filter defining fields, where, include, order, offset, and limit - must be a JSON-encoded string ' +
  '(`{"where":{"something":"value"}}`).  See https://loopback.io/doc/en/lb3/Querying-data.html' +
  '#using-stringified-json-in-rest-queries for more details.'
const replaceOrInsert = 'Replace an existing model instance or insert a new one into the data source.'

const updated = {
  description: 'Information related to the outcome of the operation',
  type: 'object',
  properties: { count: { description: 'The number of instances updated', type: 'number', format: 'double' } }
}

/** Of models with data access, as recorded in explorer/swagger: clients generated from the document show these texts. */
const ofRecords: Readonly<Record<string, MethodText>> = {
  create: {
    summary: 'Create a new instance of the model and persist it into the data source.',
    arguments: { data }
  },
  patchOrCreate: {
    summary: 'Patch an existing model instance or insert a new one into the data source.',
    arguments: { data }
  },
  replaceOrCreate: { summary: replaceOrInsert, arguments: { data } },
  upsertWithWhere: {
    summary: 'Update an existing model instance or insert a new one into the data source based on the where criteria.',
    arguments: { where, data: pairs }
  },
  exists: { summary: 'Check whether a model instance exists in the data source.', arguments: { id } },
  findById: {
    summary: 'Find a model instance by {{id}} from the data source.',
    arguments: {
      id,
      filter: 'Filter defining fields and include - must be a JSON-encoded string ({"something":"value"})'
    }
  },
  replaceById: {
    summary: 'Replace attributes for a model instance and persist it into the data source.',
    arguments: { id, data }
  },
  find: {
    summary: 'Find all instances of the model matched by filter from the data source.',
    arguments: { filter }
  },
  findOne: {
    summary: 'Find first instance of the model matched by filter from the data source.',
    arguments: { filter }
  },
  updateAll: {
    summary: 'Update instances of the model matched by {{where}} from the data source.',
    arguments: { where, data: pairs },
    answer: updated
  },
  deleteById: { summary: 'Delete a model instance by {{id}} from the data source.', arguments: { id } },
  count: { summary: 'Count instances of the model matched by where from the data source.', arguments: { where } },
  'prototype.patchAttributes': {
    summary: 'Patch attributes for a model instance and persist it into the data source.',
    arguments: { data: pairs }
  },
  createChangeStream: { summary: 'Create a change stream.', answer: { type: 'file' } }
}

const ofUsers: Readonly<Record<string, MethodText>> = {
  login: {
    summary: 'Login a user with username/email and password.',
    arguments: {
      include: 'Related objects to include in the response. See the description of return value for more details.'
    },
    answer: {
      description:
        'The response body contains properties of the AccessToken created on login.\n' +
        'Depending on the value of `include` parameter, the body may contain additional properties:\n\n' +
        '  - `user` - `U+007BUserU+007D` - Data of the currently logged in user. (`include=user`)\n\n',
      type: 'object'
    }
  },
  logout: { summary: 'Logout a user with access token.' },
  'prototype.verify': { summary: "Trigger user's identity verification with configured verifyOptions" },
  confirm: { summary: 'Confirm a user registration with identity verification token.' },
  resetPassword: { summary: 'Reset password for a user with email.' },
  changePassword: { summary: "Change a user's password." },
  setPassword: { summary: "Reset user's password via a password-reset token." }
}

type RelationText = (name: string, from: string, type: string) => string

const ofRelations: Readonly<Record<string, RelationText>> = {
  get: (name, from, type) => {
    if (type === 'belongsTo') return `Fetches belongsTo relation ${name}.`
    return type === 'hasOne' || type === 'embedsOne'
      ? `Fetches hasOne relation ${name}.`
      : `Queries ${name} of ${from}.`
  },
  create: (name) => `Creates a new instance in ${name} of this model.`,
  update: (name) => `Update ${name} of this model.`,
  destroy: (name) => `Deletes ${name} of this model.`,
  delete: (name) => `Deletes all ${name} of this model.`,
  count: (name, from) => `Counts ${name} of ${from}.`,
  findById: (name) => `Find a related item by id for ${name}.`,
  updateById: (name) => `Update a related item by id for ${name}.`,
  destroyById: (name) => `Delete a related item by id for ${name}.`,
  link: (name) => `Add a related item by id for ${name}.`,
  unlink: (name) => `Remove the ${name} relation to an item by id.`,
  exists: (name) => `Check the existence of ${name} relation to an item by id.`
}

function relationText({ relatedBy, accepts }: Operation): MethodText | undefined {
  if (relatedBy === undefined) return undefined
  const { method, name, model, type, through } = relatedBy
  // A nested method names the record that it goes through by an argument before its own.
  const [nested] = through === undefined ? [] : accepts
  return {
    summary: ofRelations[method]?.(name, model, type) ?? '',
    arguments: {
      fk: `Foreign key for ${name}`,
      where,
      ...(nested?.isId === true && through !== undefined ? { [nested.name]: `Foreign key for ${through}.` } : {})
    }
  }
}

/** What LoopBack's document says of an operation of its own; undefined for those of the application. */
export function loopbackText(operation: Operation): MethodText | undefined {
  const { name, written } = operation
  if (operation.relatedBy !== undefined) return relationText(operation)
  if (written === undefined) return Object.hasOwn(ofRecords, name) ? ofRecords[name] : undefined
  return written['predefined'] === true && Object.hasOwn(ofUsers, name) ? ofUsers[name] : undefined
}
