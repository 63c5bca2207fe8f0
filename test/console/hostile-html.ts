/**
 * Every way that we know in which HTML makes a browser ask for something by itself: after the list of cure53's HTTPLeaks
 * and what webmail had to mend. `at` makes an address of which nobody else knows.
 *
 * @returns documents: what takes in all that follows it stands in one of its own.
 */
export function leaksTo(at: (name: string) => string): string[] {
  const relations = [
    ...['stylesheet', 'icon', 'preconnect', 'prefetch', 'preload', 'prerender', 'modulepreload', 'manifest'],
    ...['import', 'alternate stylesheet', 'apple-touch-icon', 'search', 'dns-prefetch', 'mask-icon', 'next'],
  ]
  const kinds = ['fetch', 'font', 'image', 'style', 'script', 'track']
  const elements: [string, string][] = [
    ...['src', 'srcset', 'dynsrc', 'lowsrc', 'longdesc', 'attributionsrc'].map((one): [string, string] => [
      'img',
      one,
    ]),
    ...[
      'iframe',
      'frame',
      'embed',
      'script',
      'video',
      'audio',
      'input type=image',
      'bgsound',
      'portal',
      'image',
    ].map((one): [string, string] => [one, 'src']),
    ['video', 'poster'],
    ['object', 'data'],
    ['object', 'codebase'],
    ['applet', 'archive'],
    ['table', 'background'],
    ['td', 'background'],
    ['body', 'background'],
    ['html', 'manifest'],
    ['head', 'profile'],
    ['menuitem', 'icon'],
    ['isindex', 'src'],
    ['image', 'href'],
  ]
  const vectors = [
    'image',
    'use',
    'feImage',
    'script',
    'tref',
    'font-face-uri',
    'pattern',
    'cursor',
    'a',
    'mpath',
  ]
  const properties = [
    ...[
      'background',
      'background-image',
      'list-style',
      'list-style-image',
      'border-image',
      'border-image-source',
    ],
    ...[
      'cursor',
      'content',
      'shape-outside',
      '-webkit-mask-image',
      '-webkit-mask-box-image',
      'mask',
      'clip-path',
    ],
    ...['filter', 'fill', 'offset-path', '-webkit-border-image', 'behavior', '-moz-binding', 'marker-end'],
  ]
  const spellings = (name: string) => {
    const address = at(name)
    return [
      `url(${address})`,
      `url("${address}-quoted")`,
      `\\75\\72\\6c(${address}-escaped)`,
      `u\\rl(${address}-half)`,
      `URL( '${address}-upper' )`,
      `url(/**/${address}-comment)`,
      `image-set("${address}-set" 1x)`,
      `-webkit-image-set(url(${address}-webkit) 1x)`,
      `image(url(${address}-image))`,
      `cross-fade(url(${address}-fade), url(${address}-fade-b))`,
      `var(--none, url(${address}-fallback))`,
      `var(--none, var(--neither, url(${address}-second)))`,
      `var(--none, \\75rl(${address}-late))`,
      `env(none, url(${address}-env))`,
    ]
  }
  const styled = properties.flatMap((property) =>
    spellings(`css-${property}`).map((value) => `${property}: ${value};`),
  )
  const sheet = (css: string) => `<style>${css}</style>`
  const together = [
    `<!doctype html SYSTEM "${at('doctype')}">`,
    `<meta http-equiv="refresh" content="0; url=${at('refresh')}">`,
    `<meta http-equiv="Content-Security-Policy-Report-Only" content="img-src 'none'; report-uri ${at('report')}">`,
    `<meta http-equiv="Link" content="<${at('meta-link')}>; rel=preload; as=image">`,
    ...relations.map((rel) => `<link rel="${rel}" href="${at(`link-${rel}`)}">`),
    ...kinds.map((kind) => `<link rel="preload" as="${kind}" href="${at(`preload-${kind}`)}">`),
    `<link rel="preload" as="image" imagesrcset="${at('imagesrcset')} 1x">`,
    ...elements.map(
      ([name, attribute]) => `<${name} ${attribute}="${at(`${name}-${attribute}`)}"></${name.split(' ')[0]}>`,
    ),
    `<picture><source srcset="${at('source')}"><img srcset=",,,${at('srcset')} 2x"></picture>`,
    `<video><source src="${at('video-source')}"><track default src="${at('track')}"></video>`,
    `<object><param name="URL" value="${at('param')}"></object>`,
    `<iframe srcdoc="<img src='${at('srcdoc')}'>"></iframe>`,
    `<iframe src="javascript:'<img src=${at('javascript')}>'"></iframe>`,
    `<iframe src="data:text/html,<img src=${at('data-html')}>"></iframe>`,
    `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${at('svg-data')}'/></svg>">`,
    `<img src="//${at('relative').replace(/^https?:\/\//, '')}">`,
    `<img src=" &#104;ttp&#58;//${at('entities').replace(/^https?:\/\//, '')}">`,
    sheet(`@import "${at('import')}"; @import url(${at('import-url')}) screen;`),
    sheet(`@im\\port "${at('import-escaped')}";`),
    sheet(
      `@namespace url(${at('namespace')}); @font-face { font-family: leak; src: url(${at('font')}) } * { font-family: leak }`,
    ),
    sheet(`@media all { @supports (color: red) { p::before { content: url(${at('nested')}) } } }`),
    sheet(
      `@layer a { p { background: url(${at('layer')}) } } @container (width > 0) { p { background: url(${at('container')}) } }`,
    ),
    sheet(`@keyframes k { from { background: url(${at('keyframes')}) } } p { animation: k 1s infinite }`),
    sheet(
      `@property --p { syntax: "<url>"; inherits: false; initial-value: url(${at('property')}) } p { background: var(--p) }`,
    ),
    sheet(
      `:root { --u: url(${at('variable')}) } p { background: var(--u); & b { background: url(${at('nesting')}) } }`,
    ),
    sheet(
      `p { ${styled.join(' ')} } p::after { ${styled.join(' ')} } li::marker { content: url(${at('marker')}) }`,
    ),
    sheet(`<!-- p { background: url(${at('cdo')}) } -->`),
    ...styled.map((css) => `<p style='${css.replaceAll("'", '"')}'>x<b>y</b></p><ul><li>z</ul>`),
    `<p style="background&colon; url(${at('style-entity')})">x</p>`,
    `<p style="background:url(&#x68;ttp://${at('style-hex').replace(/^https?:\/\//, '')}">x</p>`,
    sheet(
      `p { & b { color: red } background: url(${at('behind-nested')}); @supports (color: red) { background: url(${at('nested-supports')}) } }`,
    ),
  ]
  const alone = [
    `<form action="${at('form')}" id="f"><button autofocus formaction="${at('formaction')}">x</button></form>`,
    `<math><mtext><table><mglyph><style><img src="${at('mutation')}"></style></mglyph></table></mtext></math>`,
    `<noscript><p title="</noscript><img src=${at('noscript')}>"></noscript>`,
    `<svg>${vectors.map((name) => `<${name} href="${at(`svg-${name}`)}" xlink:href="${at(`xlink-${name}`)}"/>`).join('')}
      <style>@import "${at('svg-import')}"; * { fill: url(${at('svg-style')}) }</style>
      <rect width="9" height="9" fill="url(${at('svg-fill')})" filter="url(${at('svg-filter')})" mask="url(${at('svg-mask')})"/>
      <animate attributeName="href" to="${at('svg-animate')}"/><set attributeName="href" to="${at('svg-set')}"/>
      <foreignObject><img src="${at('svg-foreign')}"></foreignObject></svg>`,
  ]
  return [together.join('\n'), ...alone]
}

/** Ways in which a mail would have a script of its own run; each calls `ran`. */
export const scripts = [
  `<script>ran('script')</script>`,
  `<script type="module">ran('module')</script>`,
  `<script src="data:text/javascript,ran('data')"></script>`,
  `<img src=x onerror="ran('onerror')">`,
  `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" onload="ran('onload')">`,
  `<svg onload="ran('svg')"><script>ran('svg-script')</script><animate onbegin="ran('animate')" attributeName="x" dur="1s"/></svg>`,
  `<body onload="ran('body')" onpageshow="ran('pageshow')">`,
  `<iframe srcdoc="<script>parent.ran('srcdoc')</script>"></iframe>`,
  `<iframe src="javascript:parent.ran('javascript')"></iframe>`,
  `<object data="javascript:ran('object')"></object><embed src="javascript:ran('embed')">`,
  `<details open ontoggle="ran('toggle')">x</details>`,
  `<input autofocus onfocus="ran('focus')"><video onloadstart="ran('video')"><source onerror="ran('source')"></video>`,
  `<style onload="ran('style')">p { color: red }</style>`,
  `<p style="animation: a 1ms" onanimationstart="ran('animation')">x</p><style>@keyframes a { to { color: red } }</style>`,
  `<a id="link" href="javascript:ran('link')">link</a>`,
  `<meta http-equiv="refresh" content="0; url=javascript:ran('refresh')">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ran('mutation')&gt;">`,
  `<base href="javascript:/a/-ran('base')///////"><a href="#">x</a>`,
].join('\n')
