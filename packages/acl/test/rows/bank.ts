import type { RowsFunction } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { AclOptions } from '#src/index.ts'
import { deny, makeApp, rule } from '../make-app.ts'

/** The tenant of a user is ten times the id; nobody has none. */
export const ofTenant: RowsFunction = ({ userId }) =>
  userId === undefined ? undefined : { tenantId: Number(userId) * 10 }

/** How the bank of a test differs. */
export interface Setting {
  readonly rows?: RowsFunction
  readonly options?: AclOptions
  readonly compat?: boolean
}

/** Accounts 1 and 2 are of tenant 10, account 3 is of tenant 20: all in branch 1, the tenant hidden. Notes 1 and 2 are on 1 and 3. */
export async function makeBank(
  t: Test,
  { rows = ofTenant, options = {}, compat = false }: Setting = {}
): Promise<FastifyInstance> {
  const models = [
    {
      name: 'Branch',
      plural: 'branches',
      properties: { name: 'string' },
      relations: { accounts: { type: 'hasMany', model: 'Account', foreignKey: 'branchId' } }
    },
    {
      name: 'Account',
      plural: 'accounts',
      properties: { label: 'string', tenantId: 'number', branchId: 'number' },
      relations: {
        notes: { type: 'hasMany', model: 'Note', foreignKey: 'accountId' },
        branch: { type: 'belongsTo', model: 'Branch', foreignKey: 'branchId' }
      },
      hidden: ['tenantId'],
      acls: [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', rows })]
    },
    {
      name: 'Note',
      plural: 'notes',
      relations: { account: { type: 'belongsTo', model: 'Account', foreignKey: 'accountId' } }
    }
  ]
  const app = await makeApp(t, models, options, { compat })
  await app.models.get('Branch').create([{ name: 'x' }, { name: 'y' }])
  const accounts = [10, 10, 20].map((tenantId, at) => ({ label: 'abc'[at], tenantId, branchId: 1 }))
  await app.models.get('Account').create(accounts)
  await app.models.get('Note').create([{ accountId: 1 }, { accountId: 3 }])
  return app
}

/** What user 1 is answered, unless another one asks. */
export async function send(
  app: FastifyInstance,
  line: string,
  payload?: object,
  user = '1'
): Promise<{ status: number; body: unknown }> {
  const [method = 'GET', url = ''] = line.split(' ')
  const body = payload === undefined ? {} : { payload }
  const request = { method: method as 'GET', url: `/api${url}`, headers: { user }, ...body } // tests name verbs
  const { statusCode, payload: text } = await app.inject(request)
  return { status: statusCode, body: text === '' ? undefined : JSON.parse(text) }
}

/** What is stored: labels and tenants by id. */
export async function stored(app: FastifyInstance): Promise<readonly string[]> {
  const accounts = await app.models.get('Account').find({ order: 'id ASC' })
  return accounts.map((account) => `${String(account['label'])}${String(account['tenantId'])}`)
}
