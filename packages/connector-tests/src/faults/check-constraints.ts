import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/** A table of entries whose `serial` is below 100 and whose `twin` is an entry. */
export const constrainedTable =
  'create table FaultEntry (id varchar(64) primary key, worker double precision, serial double precision not null check (serial < 100), twin varchar(64), foreign key (twin) references FaultEntry(id))'

const answers: readonly (readonly [
  method: 'POST' | 'DELETE' | 'PATCH',
  path: string,
  payload: object,
  code: string
])[] = [
  ['POST', '', { id: 'a', serial: 1 }, ''],
  ['POST', '', { id: 'b', serial: 2, twin: 'a' }, ''],
  ['POST', '', { id: 'a', serial: 3 }, '409 DUPLICATE_KEY'],
  [
    'POST',
    '',
    [
      { id: 'c', serial: 4 },
      { id: 'b', serial: 5 }
    ],
    '409 DUPLICATE_KEY'
  ],
  ['POST', '', { id: 'd', serial: 6, twin: 'nobody' }, '422 CONSTRAINT_VIOLATED'],
  ['PATCH', '/b', { twin: 'nobody' }, '422 CONSTRAINT_VIOLATED'],
  ['DELETE', '/a', {}, '422 CONSTRAINT_VIOLATED'],
  ['POST', '', { id: 'e', serial: 100 }, '422 CONSTRAINT_VIOLATED'],
  ['PATCH', '/a', { serial: 100 }, '422 CONSTRAINT_VIOLATED'],
  ['POST', '', { id: 'f' }, '422 VALIDATION_FAILED']
]

/**
 * Checks what clients of a server of entries, whose table is `constrainedTable`, are reported by the database's own
 * rules.
 */
export async function checkConstraints(t: Test, app: FastifyInstance, tooLong: string): Promise<void> {
  for (const [method, path, payload, expected] of answers) {
    const answer = await app.inject({ method, url: `/api/entries${path}`, payload })
    const code = /"code":"([A-Z_]+)"/.exec(answer.body)?.[1]
    const seen = answer.statusCode < 400 ? '' : `${answer.statusCode} ${code}`
    t.equal(seen, expected, `${method} ${path} ${JSON.stringify(payload)}`)
  }
  const long = await app.inject({ method: 'POST', url: '/api/entries', payload: { id: 'x'.repeat(65), serial: 7 } })
  t.equal(long.statusCode < 400 ? '' : `${long.statusCode} ${long.json<Answer>().error.code}`, tooLong)
  t.match((await app.inject('/api/entries?filter[where][id][neq]=x&filter[limit]=2')).json(), [
    { id: 'a' },
    { id: 'b' }
  ])
}

interface Answer {
  readonly error: { readonly code: string }
}
