// The page's own part: a bar with a field for the access token, which goes along with every request that is tried out.
const hasAuthorization = (headers) => Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')

const element = (name, attributes, ...children) => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

const isOAuth = (definition) => definition.get('type') === 'oauth2'

const onlyForOAuth = (Original, { React, specSelectors }) =>
  function OnlyForOAuth(props) {
    return specSelectors.securityDefinitions()?.some(isOAuth) ? React.createElement(Original, props) : null
  }

const labelled = (Original, { React }) =>
  function Labelled(props) {
    return React.createElement(Original, { 'aria-label': 'Value', ...props })
  }

// Tokens have the field of the bar alone; the dialog of swagger-ui is there to log in by OAuth 2.0.
const oneTokenField = () => {
  return {
    wrapComponents: { authorizeBtn: onlyForOAuth, authorizeOperationBtn: onlyForOAuth, TextArea: labelled },
    statePlugins: {
      auth: {
        wrapSelectors: {
          definitionsToAuthorize:
            (original) =>
            (...args) =>
              original(...args)?.filter((definitions) => definitions.some(isOAuth))
        }
      }
    }
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const followColourScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
followColourScheme()
dark.addEventListener('change', followColourScheme)

{
  const page = {}
  const key = 'modelwire.accessToken'

  // A browser may forbid a page to keep anything: the token then lasts until the page is left.
  let kept = ''
  const read = () => {
    try {
      return sessionStorage.getItem(key) ?? kept
    } catch {
      return kept
    }
  }
  const write = (token) => {
    kept = token
    try {
      if (token === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, token)
    } catch {
      // It is kept above.
    }
  }

  // swagger-ui starts when the page is loaded, which is after this script: it is given a plugin more.
  const withPlugin = (start) =>
    Object.assign((config) => (page.system = start({ ...config, plugins: [...config.plugins, oneTokenField] })), start)
  globalThis.SwaggerUIBundle = withPlugin(globalThis.SwaggerUIBundle)

  // Servers take `Bearer`, unless the document says that the header holds the token alone.
  const isSentBare = () =>
    page.system?.specSelectors.specJson().getIn(['components', 'securitySchemes', 'accessToken', 'type']) === 'apiKey'
  const authorizationOf = (token) => (isSentBare() || token.includes(' ') ? token : `Bearer ${token}`)

  globalThis.modelwireRequest = (request) => {
    const token = read()
    if (token === '' || request.loadSpec || hasAuthorization(request.headers ?? {})) return request
    request.headers = { ...request.headers, Authorization: authorizationOf(token) }
    return request
  }

  const field = element('input', {
    id: 'access-token',
    name: 'access-token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Access token',
    'aria-label': 'Access token'
  })
  const state = element('output', { for: 'access-token' })
  const tell = () => {
    state.textContent = read() === '' ? 'No token is sent' : 'The token is sent'
    state.classList.toggle('is-set', read() !== '')
  }
  const form = element('form', { class: 'token-form' }, field, element('button', { type: 'submit' }, 'Set'), state)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    write(field.value.trim())
    tell()
  })

  const older = element('a', { href: './swagger.json' }, 'Swagger 2')
  const links = element(
    'nav',
    { 'aria-label': 'Documents' },
    element('a', { href: './openapi.json' }, 'OpenAPI 3.1'),
    older
  )
  // An option may give that document another address.
  const findOlder = async () => {
    const response = await fetch('./config.json')
    if (response.ok) older.setAttribute('href', (await response.json()).url)
  }
  const icon = element('img', { src: './static/theme/icon.svg', alt: '', width: '28', height: '28' })
  const title = element('strong', {}, document.title)
  document.body.prepend(element('header', { class: 'explorer-bar' }, icon, title, form, links))
  document.head.append(element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }))
  field.value = read()
  tell()
  void findOlder()
}
