/**
 * Signs ann in at an address of the authorization server, grants its consent, and returns the address that she is
 * redirected to.
 */
export async function allow(address: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const ask = async (url: string | URL, fields?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }
    const answer = await fetch(url, { ...form, headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { page: await answer.text(), next: new URL(answer.headers.get('location') ?? url, url) }
  }
  const form = async ({ page, next }: Awaited<ReturnType<typeof ask>>, fields: Record<string, string>) => {
    const [, action = ''] = /<form method="post" action="([^"]*(?:login|decision))"/.exec(page) ?? []
    const hidden = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&')
    ])
    const { cancel: _no, ...given } = Object.fromEntries(hidden) as Record<string, string>
    return ask(new URL(action, next), { ...given, ...fields })
  }
  const login = await ask((await ask(address)).next)
  const signedIn = await form(login, { username: 'ann', password: 'a quiet evening' })
  return (await form(await ask(signedIn.next), { decision: 'allow' })).next
}
