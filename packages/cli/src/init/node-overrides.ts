/**
 * What package.json adds where the project is made with Node 20: the newest of some packages that others bring ask for Node 22, of
 * which npm warns. These versions hold the same code.
 * @param node a version of Node, as `process.versions.node` has it
 */
export function nodeOverrides(node: string): { overrides?: object } {
  if (Number.parseInt(node, 10) >= 22) return {}
  const cookie = { cookie: '^1.1.1' }
  return {
    overrides: {
      '@fastify/cookie': cookie,
      '@fastify/static': { 'content-disposition': '^2.0.1' },
      'light-my-request': cookie
    }
  }
}
