// What is asked of a database that another server made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `writes` fill the application beside this file, `reads` and `logins` ask it. */
export const requests = JSON.parse(readFileSync(join(import.meta.dirname, 'requests.json'), 'utf8'))

/** One request and what came back. */
export async function call(url, method, path, body) {
  const response = await fetch(url + encodeURI(path).replaceAll('%2525', '%25'), {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** The answers to all reads, and whether the users of the database can log in. */
export async function readAnswers(url, token) {
  const answers = {}
  for (const path of requests.reads) answers[path] = await call(url, 'GET', path.replaceAll('${token}', token))
  for (const login of requests.logins) {
    const { status } = await call(url, 'POST', '/Customers/login', login)
    answers[`login of ${login.email}`] = { status }
  }
  return answers
}

/** LoopBack's PostgreSQL connector sends numbers of NUMERIC columns as texts. */
export function withNumbers(answer) {
  return JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'price' && typeof value === 'string' ? Number(value) : value
  )
}
