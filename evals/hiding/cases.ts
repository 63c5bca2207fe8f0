// Ways in which a page may hide a text, or seem to. HIDE stands for the text.

/** Styles, each of which is put to elements of several kinds. */
const styles = `
display:none|display:block|display:contents|display:table-column|display:table-column-group|display:table-cell|display:ruby-text
display:nonsense|display:none;display:nonsense|display:none;display:grid|display:block flow|display:none;display:inline flex
visibility:hidden|visibility:collapse|visibility:visible|content-visibility:hidden|content-visibility:auto
opacity:0|opacity:.02|opacity:1%|opacity:.5|opacity:1|opacity:calc(0 * 1)|opacity:sign(0)|opacity:attr(data-x type(<number>), 0)|opacity:env(x, 0)
font-size:0|font-size:1px|font-size:.5pt|font-size:6px|font-size:9px|font-size:.01em|font-size:.01lh|font-size:.01cqw|font-size:.01dvh|font-size:calc(1px - 1px)
font-size:abs(0px)|font-size:mod(3px,3px)|font-size:clamp(0px,0px,9px)|font:0/0 a|font:1px/1 serif|font:12px serif|font-size-adjust:0|font-size-adjust:.01|font-size-adjust:ex-height 0
font-size-adjust:none|font-size-adjust:.5|font-size-adjust:from-font|zoom:0|zoom:.01|zoom:1%|zoom:1|zoom:9999
color:white|color:#fff|color:#ffffffff|color:#fffe|color:#0000|color:#fefefe|color:#777|color:black|color:transparent|color:currentcolor|color:inherit
color:rgb(255 255 255)|color:rgb(100% 100% 100%)|color:rgb(calc(255) 255 255)|color:rgb(calc(100%) calc(100%) calc(100%))|color:rgb(0 0 0/0)|color:rgb(0 0 0/none)
color:rgb(none none none)|color:rgba(255,255,255,1)|color:rgb(300,300,300)|color:rgb(#fff)|color:rgb(255,255)|color:rgb(from white r g b)|color:rgb(from black r g b)
color:hsl(0 0% 100%)|color:hsl(0deg 0 100)|color:hsl(.5turn 100% 20%)|color:hwb(0 100% 0%)|color:hwb(0 0% 100%)|color:hwb(120 0% 0%)|color:hwb(0 98% 1%)
color:lab(100 0 0)|color:lab(100% 0 0)|color:lab(99% 1 1)|color:lab(20% 40 -40)|color:lch(100 0 0)|color:lch(40% 60 200)|color:oklab(1 0 0)|color:oklab(.4 .1 .1)
color:oklch(1 0 0)|color:oklch(99% .01 100)|color:oklch(.4 .1 200)|color:color(srgb 1 1 1)|color:color(srgb 0 0 0)|color:color(display-p3 1 1 1)|color:color(xyz 1 1 1)
color:color-mix(in srgb, white, white)|color:color-mix(in srgb, white 99%, black)|color:color-mix(in srgb, black, blue)|color:light-dark(white, black)|color:light-dark(black, white)
color:canvas|color:field|color:Canvas|color:buttonface|color:window|color:infobackground|color:highlighttext|color:canvastext|color:graytext|color:accentcolor|color:linktext|color:mark
color:white;background:canvas|color:white;background:black|color:white;background:graytext|color:white;background:color-mix(in srgb,white,white)|color:white;background:#fff0
color:white;background:oklch(1 0 0)|color:white;background:oklch(.3 0 0)|color:white;background-color:light-dark(white,black)|color:black;background:light-dark(black,white)
color:black;background:black|color:black;background:linear-gradient(black,black)|color:white;background:linear-gradient(blue,red)|color:white;background:linear-gradient(white,#fefefe)
color:white;background:linear-gradient(oklch(1 0 0),oklch(1 0 0))|color:white;background:conic-gradient(white,white)|color:white;background:radial-gradient(white,white)
color:white;text-shadow:0 0 2px black|color:white;text-shadow:0 0 2px white|color:white;text-shadow:none|color:white;text-shadow:9999px 0 black|color:white;text-shadow:0 0 90px black|color:white;text-shadow:var(--x)
-webkit-text-fill-color:white|-webkit-text-fill-color:transparent|-webkit-text-fill-color:oklch(1 0 0)|color:white;-webkit-text-fill-color:black|-webkit-text-fill-color:currentcolor
-webkit-text-stroke:9px white|-webkit-text-stroke:1px black;color:white|-webkit-text-stroke:thick white|-webkit-text-stroke-width:9px;-webkit-text-stroke-color:white|-webkit-text-stroke:1px white
-webkit-text-security:disc|-webkit-text-security:circle|-webkit-text-security:none|background-clip:text;color:transparent|background:black;-webkit-background-clip:text;color:transparent
background:white;-webkit-background-clip:text;color:transparent|-webkit-background-clip:text;-webkit-text-fill-color:transparent
mix-blend-mode:screen|mix-blend-mode:lighten|mix-blend-mode:difference;background:white|mix-blend-mode:normal|mix-blend-mode:multiply|mix-blend-mode:plus-lighter|mix-blend-mode:color-dodge;color:#888
background:black;color:#333;background-image:linear-gradient(#333,#333);background-blend-mode:lighten|filter:opacity(0)|filter:opacity(1%)|filter:invert(1)|filter:contrast(0)|filter:brightness(99);color:#333|filter:blur(20px)
filter:none|filter:blur(1px)|filter:grayscale(1)|filter:drop-shadow(1px 1px 1px black)|filter:url(#x)|filter:opacity(.9) blur(30px)|filter:alpha(opacity=0)|backdrop-filter:invert(1)|filter:sepia(1)
mask:linear-gradient(transparent,transparent)|mask:url(x.png)|mask:none|-webkit-mask-box-image:url(x.png)|mask-image:linear-gradient(#0000 99%,#000)|mask:linear-gradient(#000,#000) 0 0/0 0 no-repeat
clip-path:inset(50%)|clip-path:inset(0)|clip-path:circle(0)|clip-path:circle(50%)|clip-path:circle(9px at 9999px 0)|clip-path:circle(1px)|clip-path:ellipse(0 9px)|clip-path:polygon(0 0,0 0,0 0)
clip-path:polygon(0 0,100% 0,100% 100%,0 100%)|clip-path:polygon(200% 0,300% 0,300% 100%)|clip-path:path("M0 0")|clip-path:shape(from 0 0, line to 0 0)|clip-path:url(#x)|clip-path:rect(0 0 0 0)
clip-path:xywh(0 0 0 0)|clip-path:xywh(999px 999px 9px 9px)|clip-path:none|clip-path:inset(calc(50%))|clip-path:inset(0 0 calc(100%) 0)|clip-path:border-box
position:absolute;clip:rect(0,0,0,0)|position:absolute;clip:rect(0 0 0 0)|clip:rect(0,0,0,0)|position:absolute;clip:auto|position:absolute;clip:rect(999px,auto,auto,999px)
height:0;overflow:hidden|height:0|height:1px;overflow:hidden|height:0;overflow:clip|height:0;overflow:auto|height:0;contain:paint|contain:strict|contain:size|contain:content|contain:size;overflow:hidden
container-type:size;overflow:hidden|height:0;content-visibility:auto|max-height:0;overflow:hidden|max-height:1px;overflow:hidden|height:0;min-height:30px;overflow:hidden|height:0;padding-bottom:30px;overflow:hidden
height:0;overflow-y:hidden|height:0;overflow-x:hidden|height:round(0px,1px);overflow:hidden|height:calc-size(auto, 0px);overflow:hidden|block-size:0;overflow:hidden|-webkit-logical-height:0;overflow:hidden
width:0;overflow:hidden|width:0|max-width:0;overflow:hidden|max-width:1px;overflow:hidden|width:1px;overflow:hidden;white-space:nowrap|inline-size:0;overflow:hidden|width:0;overflow:hidden;white-space:nowrap
display:inline-block;width:0;overflow:hidden|display:inline-block;contain:inline-size;overflow:hidden|float:left;width:0;overflow:hidden|display:flex;width:0;overflow:hidden|aspect-ratio:9999;overflow:hidden
aspect-ratio:9999/1;overflow:hidden|aspect-ratio:16/9;overflow:hidden|line-height:0;overflow:hidden|line-height:0|line-height:1px;overflow:hidden|line-height:9999px|line-height:1.5|columns:2;column-height:0;overflow:hidden
position:absolute;left:-9999px|position:absolute;left:-999em|position:absolute;top:-9999px|position:absolute;left:9999px|position:absolute;top:9999px|position:fixed;bottom:-9999px|position:fixed;inset:-9999px auto auto auto
position:relative;left:-9999px|position:relative;top:-9999px|position:relative;inset-inline-start:-9999px|position:static;left:-9999px|left:-9999px|position:sticky;left:-9999px|position:relative;left:5px
margin-left:-9999px;width:99px|margin-left:9999px|margin-inline-start:9999px|margin:9999px|margin-top:-9999px|margin-block-start:-9999px|-webkit-margin-before:-9999px|margin:-9999px 0 0|margin-left:20px|margin:10px auto
padding-left:9999px|padding:9999px|padding-inline:9999px|padding-top:9999px|padding:10px|border-left:9999px solid white|border-top:9999px solid|border:1px solid white|border-width:9999px;border-style:solid
text-indent:-9999px|text-indent:9999px|text-indent:100%;white-space:nowrap;overflow:hidden|text-indent:20px|text-indent:-999em|letter-spacing:-1em|letter-spacing:-20px|letter-spacing:2px|letter-spacing:-.5px
word-spacing:9999px|word-spacing:4px|vertical-align:-9999px|vertical-align:top|vertical-align:9999px|tab-size:9999|width:9999px;text-align:right|min-width:9999px;text-align:right
transform:scale(0)|transform:scale(.01)|transform:scale(1)|transform:scaleX(0)|transform:scale3d(0,0,1)|transform:scale(calc(0))|transform:scale(0%)|transform:matrix(0,0,0,0,0,0)|transform:matrix(1,0,0,1,-9999,0)
transform:matrix3d(0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1)|transform:rotateX(90deg)|transform:rotateY(.25turn)|transform:rotate3d(1,0,0,90deg)|transform:skew(90deg)|transform:skewX(89.99deg)|transform:translate(-9999px)
transform:translateX(-200%)|transform:translateX(calc(-9999px))|transform:translate3d(0,-9999px,0)|transform:translate(5px,5px)|transform:rotate(1deg)|transform:rotateY(180deg);backface-visibility:hidden
transform:perspective(1px) translateZ(9px)|transform:none|scale:0|scale:0 1|scale:1|scale:.01|scale:calc(0)|translate:-9999px|translate:0 -9999px|translate:5px|rotate:y 90deg|rotate:1 0 0 90deg|rotate:y 180deg;backface-visibility:hidden
offset-path:path("M-999 -999");offset-distance:0|offset:path("M-999 -999")|offset-path:ray(0deg);offset-distance:9999px|offset-path:none|content:url(x.png)|content:linear-gradient(white,white)|content:""|content:"x"|content:none|content:normal
z-index:-1|position:relative;z-index:-1|position:absolute|position:absolute;z-index:-1|float:right|all:unset|all:initial|display:none;all:unset|appearance:none|writing-mode:vertical-rl|direction:rtl|direction:rtl;text-indent:-9999px
direction:rtl;unicode-bidi:bidi-override|text-transform:uppercase|font-variant:small-caps|text-decoration:line-through|font-weight:900|font-family:Nonsense|user-select:none|pointer-events:none|border-radius:9999px|box-shadow:inset 0 0 0 99px white
outline:99px solid white|text-overflow:ellipsis;overflow:hidden;white-space:nowrap|table-layout:fixed;width:0;overflow:hidden|border-shape:circle(0);overflow:hidden|animation:none|transition:all 9s|will-change:opacity|isolation:isolate
--x:none;display:var(--x)|--x:0;opacity:var(--x)|display:var(--y,none)|display:var(--y,block)|--x:white;color:var(--x)|--a:none;--b:var(--a);display:var(--b)|color:var(--y)|--x:#fff;--y:var(--x);--z:var(--y);--w:var(--z);color:var(--w)
display:if(style(--x:1): block; else: none)|--x:0px;font:var(--x) serif|--x:0;--y:calc(var(--x)*1px);font-size:var(--y)|display:--f()
`

/** Elements that a style is put to. */
const forms: readonly ((style: string) => string)[] = [
  (style) => `<div style='${style}'>HIDE</div>`,
  (style) => `a <span style='${style}'>HIDE</span>`,
  (style) => `<style>.x{${style}}</style><p class=x>HIDE</p>`,
  (style) => `<div style='${style}'><div>HIDE</div></div>`,
  (style) => `<table><tr><td style='${style}'>HIDE</td></tr></table>`,
  (style) => `<div style="overflow:hidden"><p style='margin:0;${style}'>HIDE</p></div>`,
]

/** Rules of style sheets: those of `X` hide, those of `Y` show. */
const sheetPages = `
.x{X}|@media screen{.x{X}}|@media print{.x{X}}|@media not print{.x{X}}|@media all and (min-width:1px){.x{X}}|@media (max-width:1px){.x{X}}|@media (width>1px){.x{X}}|@media (1px<width<9999px){.x{X}}
@media (min-width:1px) or (max-width:1px){.x{X}}|@media not (max-width:1px){.x{X}}|@media ((min-width:1px)){.x{X}}|@media (color){.x{X}}|@media (min-resolution:.1dppx){.x{X}}|@media (min-aspect-ratio:1/99){.x{X}}
@media (display-mode:browser){.x{X}}|@media (grid:0){.x{X}}|@media (update:fast){.x{X}}|@media (overflow-block:scroll){.x{X}}|@media (min-width:calc(1px)){.x{X}}|@media (nonsense){.x{X}}|@media nonsense{.x{X}}
@media (prefers-color-scheme:dark){.x{X}}|@media (prefers-color-scheme:light){.x{X}}|@media (prefers-contrast:no-preference){.x{X}}|@media (forced-colors:none){.x{X}}|@media (color-gamut:srgb){.x{X}}|@media (scripting:none){.x{X}}
@media (hover:hover){.x{X}}|@media not all and (monochrome){.x{X}}|@media (monochrome:0){.x{X}}|@media (inverted-colors:none){.x{X}}|@media (dynamic-range:standard){.x{X}}|@media screen,print{.x{X}}
@supports (display:grid){.x{X}}|@supports not (display:grid){.x{X}}|@supports (nonsense:1){.x{X}}|@supports not (nonsense:1){.x{X}}|@supports selector(p){.x{X}}|@supports (display:grid) and (not (nonsense:1)){.x{X}}
.x{X}@supports (nonsense:1){.x{Y}}|.x{X}@media (nonsense){.x{Y}}|.x{X}@media (min-width:1px) and (nonsense){.x{Y}}|.x{X}@supports (display:nonsense){.x{Y}}|.x{X}@container (min-width:99999px){.x{Y}}
@container (min-width:1px){.x{X}}|body{container-type:inline-size}@container (min-width:1px){.x{X}}|@container style(--a:1){.x{X}}|body{--a:1}@container style(--a:1){.x{X}}
@layer a{.x{X}}|@layer a{#x{Y}}.x{X}|@layer a{.x{X!important}}.x{Y!important}|@layer{.x{X}}|@layer a,b;@layer b{.x{X}}@layer a{.x{Y}}|@scope (body){.x{X}}|@scope (.nothing){.x{X}}|@starting-style{.x{X}}
.a{.x{X}}|.a{& .x{X}}|.a{&>.x{X}}|.a{> .x{X}}|.a{@media screen{.x{X}}}|.a{+.x{X}}|body{.x &{X}}|.a{color:red;.x{X}}|div{&.x{X}}|.x{&{X}}|.a{.b &{X}}|@media screen{@media screen{@media screen{.x{X}}}}
.x::first-line{X}|.x:first-line{X}|.x::first-letter{X}|.x{X}.x::first-letter{Y}|.x::before{X}|.x::after{content:"";X}|.x::selection{X}|.x::marker{X}|.x:hover{X}|.x:not(:hover){X}|.x:focus{X}|.x:not(:focus):not(:active){X}
.x:first-child{X}|.x:last-child{X}|.x:only-child{X}|.x:nth-child(1){X}|.x:nth-child(2){X}|.x:nth-child(n){X}|.x:nth-child(odd){X}|.x:nth-child(2n){X}|.x:nth-last-child(1){X}|.x:first-of-type{X}|.x:nth-of-type(1){X}|.x:last-of-type{X}
h4+.x{X}|h4~.x{X}|h4 + p{X}|i + .x{X}|i ~ .x{X}|h4+*{X}|h4 ~ p.x{X}|*+*{X}|h4:not(.z)+.x{X}|.a h4+.x{X}|h4+.x b,h4+.x{X}|.x:has(b){X}|.a:has(h4) .x{X}|.x:empty{X}|.x:not(:empty){X}|.x:is(p,div){X}|.x:is(.a p){X}|:is(.a .x){X}
:where(.x){X}|.x:not(.a .z){X}|.x:not(.a .x){X}|.x:lang(en){X}|[lang] .x{X}|.x:dir(ltr){X}|.x:defined{X}|.x:read-only{X}|.x:enabled{X}|:root .x{X}|html .x{X}|html>body .x{X}|:scope .x{X}|*|.x{X}|*|*{X}|*{X}
body *{X}|[class=x]{X}|[class="X" i]{X}|[class^=x]{X}|[class$=x]{X}|[class*=x]{X}|[class~=x]{X}|[id|=x]{X}|p[class][id]{X}|#x{X}|P.x{X}|.x.x.x{X}|#\\78{X}|.x,.y:nonsense{X}|.x:nonsense{X}|:is(.x,:nonsense){X}
html body div.a p.x{X}|html>body>div>p{X}|div div .x{X}|html body div p b,html body div.a p.x.x.x{X}|@import url("data:text/css,.x{X}");|@font-face{font-family:a;X}|@page{X}|@property --q{syntax:"*";inherits:false;initial-value:none}.x{display:var(--q)}
.x{animation:h 1s forwards}@keyframes h{to{X}}|.x{animation:h 1s}@keyframes h{from{color:red}}|.x{animation:h 9999s}@keyframes h{from{X}}|.x{animation:h 1s -9s both}@keyframes h{to{X}}|.x{animation:h 1s paused}@keyframes h{from,to{X}}
.x{animation:h 1s forwards}@keyframes h{to{Y}}|@keyframes h{to{X}}|.x{animation-name:h;animation-duration:9s;animation-delay:-9s;animation-fill-mode:both}@keyframes h{99%,to{X}}|.x{animation:h 1ms 2}@keyframes h{to{color:red}}
.x{transition:all 9999s;Y}@starting-style{.x{X}}|.x{X}.x{Y}|.x{Y}.x{X}|#x{Y}.x{X}|.x{X!important}#x{Y}|p.x{X}.x{Y}|.x{Y}*{X}|.x{X}/*.x{Y}*/|.x{X}.x:hover{Y}|.x{X}@media print{.x{Y}}|.x{X}.x::before{Y}|.x{X}.z+.x{Y}|.x{X}.x:nth-child(99){Y}
.x{X}.x:has(.q){Y}|.x{X}.x:empty{Y}|.x{X}.x:lang(xx){Y}|.x{X}:not(p){Y}|.x{X}@scope(.q){.x{Y}}|.x{X}.x:is(.q .x){Y}|.x{X}.x:nth-of-type(9){Y}|.x{X}.x:last-child:first-child{Y}
`
const ruledSheet = (sheet: string): string =>
  `<style>${sheet}</style><div class=a><h4 style="margin:0">t</h4><p class=x id=x style-x>HIDE</p></div>`
const hidingRules = ['display:none', 'color:#fff']
const showing: Readonly<Record<string, string>> = {
  'display:none': 'display:block',
  'color:#fff': 'color:#000',
}

/** Whole pages. */
const pages = `
<div hidden>HIDE</div>|<div hidden=until-found>HIDE</div>|<div hidden=until-found style="display:block">HIDE</div>|<div hidden style="display:block">HIDE</div>|<div inert>HIDE</div>|<div popover>HIDE</div>|<div popover=manual style="display:block">HIDE</div>
<dialog>HIDE</dialog>|<dialog open>HIDE</dialog>|<div style="background:#000;color:#fff"><dialog open>HIDE</dialog></div>|<dialog popover>HIDE</dialog>|<dialog style="display:block">HIDE</dialog>|<div aria-hidden=true>HIDE</div>
<details open><summary>a</summary>HIDE</details>|<details><summary>HIDE</summary>a</details>|<details><summary style="font-size:0;list-style:none"></summary>HIDE</details>|<details style="font-size:0;list-style:none"><div style="font-size:16px">HIDE</div></details>
<details style="display:none">HIDE</details>|<template>HIDE</template>|<template style="display:block">HIDE</template>|<datalist><option>HIDE</datalist>|<noscript>HIDE</noscript>|<noembed>HIDE</noembed>|<noframes>HIDE</noframes>|<iframe>HIDE</iframe>
<iframe srcdoc="HIDE" style="display:none"></iframe>|<meter>HIDE</meter>|<progress>HIDE</progress>|<meter style="display:block">HIDE</meter>|<canvas>HIDE</canvas>|<video>HIDE</video>|<video src=x>HIDE</video>|<audio>HIDE</audio>|<audio controls>HIDE</audio>
<object>HIDE</object>|<object data="data:text/html,x">HIDE</object>|<embed>HIDE|<applet>HIDE</applet>|<select><option>HIDE</select>|<select><option>a<option>HIDE</select>|<select multiple><option>a<option>HIDE</select>|<select size=4><option>a<option>HIDE</select>
<select><option>a<option selected>HIDE</select>|<textarea>HIDE</textarea>|<textarea style="color:white">HIDE</textarea>|<textarea rows=1 style="height:0;padding:0;border:0">HIDE</textarea>|<button>HIDE</button>|<button style="color:#efefef">HIDE</button>|<button disabled>HIDE</button>
<fieldset><legend>HIDE</legend></fieldset>|<label>HIDE</label>|<output>HIDE</output>|<map>HIDE</map>|<rp>HIDE</rp>|<ruby>a<rp>HIDE</rp></ruby>|<ruby>a<rt>HIDE</rt></ruby>|<marquee scrollamount=0>HIDE</marquee>|<marquee width=0>HIDE</marquee>|<marquee height=0>HIDE</marquee>
<mark>HIDE</mark>|<mark style="color:yellow">HIDE</mark>|<mark style="color:white">HIDE</mark>|<mark style="background:none;color:white">HIDE</mark>|<font color=white>HIDE</font>|<font color=fffffg>HIDE</font>|<font color="#ffff">HIDE</font>|<font color="#fffffff">HIDE</font>
<font color=ffffffffff>HIDE</font>|<font color=chucknorris>HIDE</font>|<font color="rgb(255,255,255)">HIDE</font>|<font color=canvas>HIDE</font>|<font color=transparent>HIDE</font>|<font color="">HIDE</font>|<font color="#">HIDE</font>|<font color=" white ">HIDE</font>|<font color=WHITE>HIDE</font>
<font color="rgba(0,0,0,0)">HIDE</font>|<font size=1>HIDE</font>|<font size=-9>HIDE</font>|<font size=0>HIDE</font>|<body text=white>HIDE|<body text=fffffg>HIDE|<body bgcolor=black text=white>HIDE|<body bgcolor=black>HIDE|<body bgcolor="rgba(0,0,0,0)">HIDE
<body bgcolor="#ffffff"><font color="#fefefe">HIDE</font>|<body link=white><a href=x>HIDE</a>|<body link=white vlink=white alink=white><a href=x>HIDE</a>|<body vlink=white><a href=x>HIDE</a>|<body link=white><a>HIDE</a>|<body link=white><a href=x style="color:black">HIDE</a>
<body link=white style="color:black"><a href=x><b>HIDE</b></a>|<body link=black bgcolor=black><a href=x>HIDE</a>|<body text=white><a href=x>HIDE</a>|<table bgcolor=black><tr><td>HIDE</table>|<table bgcolor=black><tr><td><font color=white>HIDE</font></table>|<table><tr bgcolor=black><td><font color=white>HIDE</table>
<table><td bgcolor=black><font color=white>HIDE</table>|<table><tbody bgcolor=black><td><font color=white>HIDE</table>|<div bgcolor=black><font color=white>HIDE</font></div>|<p bgcolor=black>HIDE</p>|<table><td bgcolor="rgba(0,0,0,0)"><font color=white>HIDE</table>|<table><td bgcolor=transparent><font color=white>HIDE</table>
<table bgcolor=fffffg><td><font color=white>HIDE</table>|<div color=white>HIDE</div>|<p text=white>HIDE</p>|<table width=0><td>HIDE</table>|<table height=1 style="display:block;overflow:hidden"><td>HIDE</table>|<table><td width=1 style="display:block;overflow:hidden">HIDE</table>|<table><td height=0 style="overflow:hidden">HIDE</table>
<table><col style="visibility:collapse"><td>HIDE</table>|<table><col style="display:none"><td>HIDE</table>|<table><caption style="display:none">HIDE</caption></table>|<table style="border-spacing:9999px"><td>HIDE</table>|<table cellspacing=9999><td>HIDE</table>|<table cellpadding=9999><td>HIDE</table>|<hr>HIDE|<pre>HIDE</pre>|<xmp>HIDE</xmp>|<plaintext>HIDE
<svg><text y=20>HIDE</text></svg>|<svg><text y=20 fill=white>HIDE</text></svg>|<svg><desc>HIDE</desc></svg>|<svg><title>HIDE</title></svg>|<svg><defs><text y=20>HIDE</text></defs></svg>|<svg width=0 height=0><text y=20>HIDE</text></svg>|<svg>HIDE</svg>|<svg><text x=-999>HIDE</text></svg>|<svg><metadata>HIDE</metadata></svg>
<svg><foreignObject width=200 height=50>HIDE</foreignObject></svg>|<svg><foreignObject>HIDE</foreignObject></svg>|<svg height=9><p>HIDE</p></svg>|<svg height=9><g><div>HIDE</div></g></svg>|<svg height=9></svg>HIDE|<svg height=9 /><b>HIDE</b>|<svg height=9><br>HIDE|<svg><desc><p>HIDE</p></desc></svg>|<svg><style>.x{display:none}</style></svg><p class=x>HIDE</p>
<svg height=9><b>HIDE</b></svg>|<svg><font>HIDE</font></svg>|<svg><font color=red>HIDE</font></svg>|<svg><a>HIDE</a></svg>|<svg><symbol><text y=20>HIDE</text></symbol></svg>|<svg><switch><text y=20>HIDE</text></switch></svg>|<svg><![CDATA[HIDE]]></svg>|<svg><script>HIDE</script></svg>|<svg><iframe>HIDE</iframe></svg>
<math><mi>HIDE</mi></math>|<math><mphantom><mi>HIDE</mi></mphantom></math>|<math><annotation>HIDE</annotation></math>|<math><semantics><mi>a</mi><annotation>HIDE</annotation></semantics></math>|<math><mtext>HIDE</mtext></math>|<math><ms>HIDE</ms></math>|<math><mi mathcolor=white>HIDE</mi></math>|<math><p>HIDE</p></math>
<math><mi mathsize=0>HIDE</mi></math>|<math><maction><mi>a</mi><mi>HIDE</mi></maction></math>|<input value="HIDE">|<img alt="HIDE">|<img alt="HIDE" width=300>|<img alt="HIDE" width=1 height=1>|<img src=x alt="HIDE" style="color:white">|<img src=x alt="HIDE" style="font-size:0">|<div style="color:white"><img src=x alt="HIDE"></div>
<frameset><noframes>HIDE</noframes></frameset>|a<frameset>HIDE|<frameset></frameset>HIDE|<head>HIDE</head>|<title>HIDE</title>|<head><title>a</title></head>HIDE|<style>HIDE</style>|<script>HIDE</script>|<script>document.write('')</script>HIDE|<base>HIDE|<link>HIDE|<meta>HIDE
<!-- HIDE -->|<!--[if mso]>HIDE<![endif]-->|<!--[if !mso]><!-->HIDE<!--<![endif]-->|<![if !mso]>HIDE<![endif]>|<!--> HIDE -->|<!---> HIDE -->|<!-- --!>HIDE|<!-- a -- > HIDE -->|<?x HIDE ?>|<!x HIDE>|</ HIDE>|<![CDATA[HIDE]]>|<a title="HIDE">a</a>|<p title=">HIDE">a
<p style="display:none">HIDE<p>a|<p style="display:none">a<p>HIDE|<b style="display:none">a<div>HIDE</b></div>|<div style="display:none">a</div>HIDE|<span hidden>a<div>b</span>HIDE</div>|<table style="display:none">HIDE<td>a</table>|<table hidden><td>HIDE</table>|<ul hidden><li>HIDE</ul>|<li hidden>HIDE|<nobr hidden>HIDE</nobr>
<div style="font-size:0">HIDE<b style="font-size:16px">a</b></div>|<div style="font-size:0"><b style="font-size:16px">HIDE</b></div>|<div style="visibility:hidden"><b style="visibility:visible">HIDE</b></div>|<div style="opacity:0"><b style="opacity:1">HIDE</b></div>|<div style="color:white"><b style="color:black">HIDE</b></div>
<div style="opacity:.2"><div style="opacity:.2">HIDE</div></div>|<div style="overflow:hidden"><div style="height:0">HIDE</div></div>|<div style="overflow:hidden"><div><div style="height:0">HIDE</div></div></div>|<div style="height:0"><div style="height:0;overflow:hidden">HIDE</div></div>|<div style="overflow:hidden;height:0"><div style="height:50px">HIDE</div></div>
<div style="overflow:hidden"><div style="margin-left:-9999px;width:9px">HIDE</div></div>|<div style="height:0;overflow:hidden"><div style="position:absolute">HIDE</div></div>|<div style="height:0;overflow:hidden;position:relative"><div style="position:absolute">HIDE</div></div>|<div style="height:0;overflow:hidden"><div style="position:fixed">HIDE</div></div>
<div style="background:#000;color:#fff"><div style="background:#fff">HIDE</div></div>|<div style="background:#000"><div style="color:#000">HIDE</div></div>|<div style="background:#000;color:#fff"><a href=x style="color:inherit">HIDE</a></div>|<div style="color:#00e;background:#00e"><a href=x>HIDE</a></div>|<div style="background:#00e"><a href=x>HIDE</a></div>
<div style="background:#fff"><div style="position:relative;z-index:-1">HIDE</div></div>|<div style="display:flex"><div style="flex:0;overflow:hidden">HIDE</div></div>|<div style="display:flex"><div style="flex:1;overflow:hidden">HIDE</div></div>|<div style="display:flex"><div style="flex:0 0 0px;overflow:hidden">HIDE</div></div>|<div style="display:flex"><span style="width:0;overflow:hidden">HIDE</span></div>
<div style="display:grid;grid-template-columns:0 1fr"><div style="overflow:hidden">HIDE</div></div>|<div style="display:grid;grid-template-rows:0;overflow:hidden;height:0"><div>HIDE</div></div>|<div style="display:grid;gap:9999px"><p>a<p>HIDE</div>|<div style="position:relative">HIDE<div style="position:absolute;inset:0;background:#fff"></div></div>
<div style="height:20px">HIDE</div><div style="margin-top:-20px;background:#fff;height:20px;position:relative"></div>|<style>@font-face{font-family:z;src:local(Arial),local("DejaVu Sans"),local("Liberation Sans");size-adjust:0%}</style><p style="font-family:z">HIDE</p>|<link rel=stylesheet href="data:text/css,p{display:none}"><p>HIDE</p>
<style media=print>p{display:none}</style><p>HIDE</p>|<style media="(min-width:1px)">p{display:none}</style><p>HIDE</p>|<style type="text/x">p{display:none}</style><p>HIDE</p>|<style disabled>p{display:none}</style><p>HIDE</p>|<style>p{display:none}|<p>HIDE</p><style>p{display:none}</style>|<p>HIDE</p><template><style>p{display:none}</style></template>
<noscript><style>p{display:none}</style></noscript><p>HIDE</p>|<textarea><style>p{display:none}</style></textarea><p>HIDE</p>|<!--<style>p{display:none}</style>--><p>HIDE</p>|<title><style>p{display:none}</style></title><p>HIDE</p>|<p style="display:none" style="display:block">HIDE</p>|<p STYLE="DISPLAY:NONE">HIDE</p>|<p style=display:none>HIDE</p>
<p style="display&#58;none">HIDE</p>|<p style="disp\\6c ay:none">HIDE</p>|<p style="display:/**/none">HIDE</p>|<p style="{display:none}">HIDE</p>|<p style=";;display:none;;">HIDE</p>|<p style="a:b{;display:none">HIDE</p>|<p style="a:(;display:none">HIDE</p>|<p style="a:';display:none">HIDE</p>|<p style="a:'&#10;;display:none">HIDE</p>|<p style="display:none!ie">HIDE</p>|<p style="display:none ! important">HIDE</p>|<p style="*display:none">HIDE</p>|<p style="_display:none">HIDE</p>|<p style="display=none">HIDE</p>
`

/** Pages in which elements lie over each other, are cut off, or have style sheets in addresses; one a line. */
const overlaps = String.raw`
<p>HIDE</p><p style="outline:99px solid #fff">a</p>
<p style="margin:0">HIDE</p><p style="margin:0;outline:60px solid white">a</p>
<p style="outline:40px solid #fff;outline-offset:-40px">HIDE</p>
<p style="outline:solid #fff;outline-width:40px;outline-offset:-40px">HIDE</p>
<p style="outline:1px solid #ccc">HIDE</p>
<p style="outline:none">HIDE</p>
<p style="margin:0">HIDE</p><p style="margin:0;position:relative;box-shadow:0 0 0 60px #fff">a</p>
<p style="margin:0">HIDE</p><p style="margin:0;box-shadow:0 0 0 60px #fff">a</p>
<p style="margin:0">HIDE</p><p style="margin:0;position:relative;box-shadow:0 -30px #fff">a</p>
<p style="margin:0">HIDE</p><span style="box-shadow:0 -20px #fff, 0 0 0 60px #fff">aaaaaaaaaaaa</span>
<p style="margin:0">HIDE</p><p style="margin:0;position:relative;box-shadow:0 2px 8px rgba(0,0,0,.2)">a</p>
<p style="margin:0;box-shadow:inset 0 0 0 99px #fff">HIDE</p>
<p style="margin:0">HIDE</p><span style="background:#fff;padding:60px 300px 0 300px">a</span>
<p style="margin:0">HIDE</p><span style="background:#fff;padding:5px">a</span>
<p style="margin:0">HIDE</p><span style="border-top:60px solid #fff;border-right:300px solid #fff">a</span>
<div style="float:left">HIDE</div><span style="background:#fff;padding:30px 300px;margin-left:-300px">a</span>
<div style="height:0">HIDE</div><div style="position:relative;background:#fff">aaaaaaaaaaaaaaaaaaaa</div>
<div style="height:0">HIDE</div><div style="background:#fff">aaaaaaaaaaaaaaaaaaaa</div>
<div style="height:0">HIDE</div><table bgcolor=white style="position:relative"><td>aaaaaaaaaaaaaaaaaaaa</table>
<div style="height:0">HIDE</div><span style="display:inline-block;background:#fff;width:300px;height:40px">a</span>
<div style="height:0">HIDE</div><span style="background:#fff">aaaaaaaaaaaaaaaaaaaaaaaaaaaa</span>
<div style="height:0">HIDE</div><mark style="background:#fff">aaaaaaaaaaaaaaaaaaaaaaaaaaaa</mark>
<div style="line-height:0">HIDE</div><span style="background:#fff">aaaaaaaaaaaaaaaaaaaaaaaaaaaa</span>
<div style="line-height:1px">HIDE<br><span style="background:#fff">aaaaaaaaaaaaaaaaaaaaaaaaaaaa</span></div>
<p style="margin:0">HIDE</p><div style="position:relative;top:-40px;background:#fff;height:60px"></div>
<p style="margin:0">HIDE</p><div style="position:absolute;top:0;left:0;width:100%;height:100%;background:#fff"></div>
<p style="margin:0">HIDE</p><div style="position:fixed;inset:0;background:#fff"></div>
<p style="margin:0">HIDE</p><div style="transform:translateY(-40px);background:#fff;height:60px"></div>
<p style="margin:0">HIDE</p><div style="translate:0 -40px;background:#fff;height:60px"></div>
<p style="margin:0">HIDE</p><div style="scale:9;background:#fff;height:60px"></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px"><div style="background:#fff;height:60px;position:relative"></div></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px"><button style="width:300px;height:60px;background:#fff">a</button></div>
<p style="margin:0">HIDE</p><textarea style="margin-top:-40px;width:300px;height:60px">a</textarea>
<p style="margin:0 0 -40px">HIDE</p><div style="position:relative;background:#fff;height:60px"></div>
<p style="margin:0 0 -40px">HIDE</p><span style="display:inline-block;background:#fff;height:60px;width:300px"></span>
<style>.x{position:relative}.x::before{content:"";position:absolute;top:0;left:0;width:300px;height:60px;background:#fff}</style><p class=x>HIDE</p>
<style>.x::after{content:"a";outline:99px solid #fff}</style><p class=x>HIDE</p>
<style>.x:after{content:"a";background:#fff;padding:60px 300px;margin-left:-300px}</style><p class=x>HIDE</p>
<s style="color:#fff;text-decoration-thickness:40px"><span style="color:#000">HIDE</span></s>
<p style="text-decoration:line-through 40px #fff">HIDE</p>
<p style="text-decoration:line-through;text-decoration-color:#fff;text-decoration-thickness:2em">HIDE</p>
<p style="text-decoration:underline 40px #fff">HIDE</p>
<p style="text-decoration:underline 40px #fff;text-underline-offset:-30px">HIDE</p>
<p style="text-decoration:overline 40px #fff">HIDE</p>
<p style="text-decoration:line-through">HIDE</p>
<p style="text-decoration:line-through #fff">HIDE</p>
<p style="text-emphasis:'█' #fff">HIDE</p>
<p style="margin:0">HIDE</p><p style="margin:-40px 0 0;color:#fff;font-size:60px">███████████</p>
<div style="display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical;overflow:hidden">a<br>HIDE</div>
<div style="height:20px;overflow:hidden">aaa<br><br>HIDE</div>
<div style="height:20px;overflow:hidden"><p>a</p><p>HIDE</p></div>
<div style="max-height:20px;overflow:hidden"><p>a</p><p>HIDE</p></div>
<div style="height:30px;overflow:hidden"><div style="padding-top:30px">HIDE</div></div>
<div style="height:30px;overflow:hidden"><div style="height:30px"></div>HIDE</div>
<div style="width:200px;overflow:hidden"><div style="padding-left:200px">HIDE</div></div>
<div style="width:200px;overflow:hidden"><div style="margin-left:200px">HIDE</div></div>
<div style="width:100px;overflow:hidden;white-space:nowrap">aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa HIDE</div>
<body style="height:30px;overflow:hidden"><br><br><br>HIDE
<div style="height:40px;overflow:hidden">HIDE</div>
<div style="position:relative;overflow:hidden;height:20px"><div style="position:absolute;top:30px">HIDE</div></div>
<div style="position:relative;overflow:hidden;height:20px"><div style="position:relative;top:-30px">HIDE</div></div>
<div style="overflow:hidden"><div style="margin-top:-50px">HIDE</div></div>
<div style="overflow:hidden"><div style="position:relative;top:-50px">HIDE</div></div>
<div style="overflow:hidden"><div style="text-indent:-300px">HIDE</div></div>
<div style="position:absolute;top:-30px">HIDE</div>
<div style="margin-top:-60px">HIDE</div>
<div style="margin-left:-300px">HIDE</div>
<div style="text-indent:-300px">HIDE</div>
<div style="position:absolute;left:-400px">HIDE</div>
<div style="transform:translateX(-400px)">HIDE</div>
<div style="transform:translateY(-90px)">HIDE</div>
<link rel=stylesheet href="data&#58;text/css,p{display:none}"><p>HIDE</p>
<link rel=stylesheet href="data:text&#47;css,p{display:none}"><p>HIDE</p>
<link rel=stylesheet href="da&#9;ta:text/css,p{display:none}"><p>HIDE</p>
<link rel=stylesheet href="data:text/css;charset=utf-8,p%7Bdisplay:none%7D"><p>HIDE</p>
<link rel=stylesheet href="data:text/css;base64,cHtkaXNwbGF5Om5vbmV9"><p>HIDE</p>
<link rel="style&#115;heet" href="data:text/css,p{display:none}"><p>HIDE</p>
<link rel=stylesheet href="data:,p{display:none}"><p>HIDE</p>
<link rel=stylesheet type="text/css" href="data:,p{display:none}"><p>HIDE</p>
<style>@import "data:text/css,p{display:none}";</style><p>HIDE</p>
<style>@import "data\3a text/css,p{display:none}";</style><p>HIDE</p>
<style>@import url(data:text\2f css,p%7Bdisplay:none%7D);</style><p>HIDE</p>
<style>@import url(data:text/css;base64,cHtkaXNwbGF5Om5vbmV9);</style><p>HIDE</p>
<style>@\69mport "data:text/css,p{display:none}";</style><p>HIDE</p>
<p>HIDE</p><link rel=stylesheet href="data:text/css,p{display:none}">
<p style="color:color-mix(in srgb, white, #fff)">HIDE</p>
<p style="-webkit-text-security:square">HIDE</p>
<input type=password value=HIDE>
<p style="border-image:linear-gradient(#fff,#fff) 30 fill / 30px">HIDE</p>
<p style="border-image:linear-gradient(#fff,#fff) 30 / 30px / 60px">HIDE</p>
<p style="margin:0">HIDE</p><p style="margin:0;position:relative;border-image:linear-gradient(#fff,#fff) 30 / 30px / 60px">a</p>
<p style="-webkit-box-reflect:below">HIDE</p>
<p style="font-palette:dark">HIDE</p>
<p style="font-family:'Adobe Blank'">HIDE</p>
<style>@font-face{font-family:z;src:url("data:font/woff2;base64,AAAA");font-display:block}</style><p style="font-family:z">HIDE</p>
<style>@font-face{font-family:z;src:local("DejaVu Sans");unicode-range:U+0-7f;ascent-override:9999%}</style><p style="font-family:z">HIDE</p>
<p style="ruby-position:over"><ruby><rb>a</rb><rt>HIDE</rt></ruby></p>
<p style="initial-letter:9">HIDE</p>
<p style="-webkit-text-stroke:3px #fff;paint-order:stroke">HIDE</p>
<p style="-webkit-text-stroke:9px #fff;paint-order:stroke">HIDE</p>
<p style="-webkit-text-stroke:3px #fff">HIDE</p>
<p style="-webkit-text-stroke:1px #fff">HIDE</p>
<p style="caret-color:#fff">HIDE</p>
<div style="column-count:2;height:20px;overflow:hidden"><p>a</p><p>a</p><p>a</p><p>HIDE</p></div>
<div style="columns:1px 2;width:20px;overflow:hidden">a<br>b<br>HIDE</div>
<table style="table-layout:fixed;width:20px"><td style="width:0;overflow:hidden">HIDE</table>
<div style="display:grid;grid-template:0/0;overflow:hidden">HIDE</div>
<div style="display:grid"><div style="grid-area:1/1">HIDE</div><div style="grid-area:1/1;background:#fff">aaaaaaaaaaaaaaaaaaaa</div></div>
<div style="display:grid"><div style="grid-row:1;grid-column:1">HIDE</div><div style="grid-row:1;grid-column:1;background:#fff">aaaaaaaaaaaaaaaaaaaa</div></div>
<div style="display:inline-grid;grid-template-areas:'a'"><div style="grid-area:a">HIDE</div><div style="grid-area:a;background:#fff">aaaaaaaaaaaaaaaaaaaa</div></div>
<div style="display:flex"><div style="width:0">HIDE</div><div style="background:#fff">aaaaaaaaaaaaaaaaaaaa</div></div>
<div style="display:flex"><div style="width:0">HIDE</div><div style="position:relative;background:#fff">aaaaaaaaaaaaaaaaaaaa</div></div>
<div style="width:0;white-space:nowrap;float:left">HIDE</div><div style="background:#fff;position:relative">aaaaaaaaaaaaaaaaaaaa</div>
<table><td style="max-width:0;white-space:nowrap">HIDE<td style="background:#fff;position:relative">aaaaaaaaaaaaaaaaaaaa</table>
<table><td><div style="width:0;white-space:nowrap">HIDE</div><td bgcolor=white><span style="background:#fff">aaaaaaaaaaaaaaaaaaaa</span></table>
<div style="position:absolute">HIDE</div><div style="position:relative;background:#fff">aaaaaaaaaaaaaaaaaaaa</div>
<div style="position:absolute">HIDE</div><span style="position:relative;background:#fff">aaaaaaaaaaaaaaaaaaaa</span>
<div style="position:absolute;z-index:-1">HIDE</div><div style="background:#fff">aaaaaaaaaaaaaaaaaaaa</div>
<div style="position:relative;z-index:-1">HIDE</div><div style="background:#fff;margin-top:-40px;height:60px">aaaaaaaaaaaaaaaaaaaa</div>
<p style="margin:0">HIDE</p><fieldset style="margin-top:-40px;background:#fff;height:60px;position:relative"></fieldset>
<p style="margin:0">HIDE</p><div style="margin-top:-40px;background:#fffd;height:60px;position:relative"></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px;backdrop-filter:blur(20px);height:60px;position:relative"></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px;backdrop-filter:brightness(9);height:60px"></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px;background:linear-gradient(#fff,#fff);height:60px;position:relative"></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px;box-shadow:inset 0 0 0 99px #fff;height:60px;position:relative"></div>
<p style="margin:0">HIDE</p><div style="margin-top:-40px;border-top:60px solid #fff;position:relative"></div>
<p style="margin:0">HIDE</p><hr style="margin-top:-40px;height:60px;background:#fff;position:relative;border:0">
<p style="margin:0">HIDE</p><div style="margin-top:-40px"><svg width=300 height=60><rect width=300 height=60 fill=white /></svg></div>
<p style="margin:0">HIDE</p><iframe style="margin-top:-40px;background:#fff;border:0" srcdoc="<body bgcolor=white>a"></iframe>
<p style="margin:0">HIDE</p><div style="margin-top:-8px">a</div>
<p style="margin:0">HIDE</p><div style="margin-top:-8px;background:#eee">a</div>
<div style="float:left;width:100%;margin-right:-100%">HIDE</div><div style="float:left;width:100%;background:#fff">aaaaaaaaaaaaaaaaaaaaa</div>
<span style="position:relative;float:right;right:0">HIDE</span><span style="background:#fff;padding:0 600px 0 0">a</span>
`

/** Pages with what browsers leave out, so that it does not show what hides, nor hide what is shown; and colours that depend. */
const leftOut = String.raw`
<p style="text-decoration:line-through 40px white">HIDE</p>
<p style="text-decoration:line-through;text-decoration-thickness:40px;text-decoration-color:white">HIDE</p>
<p style="text-decoration:underline 40px white;text-underline-offset:-30px">HIDE</p>
<p style="text-decoration:underline 40px white;text-underline-offset:-30px;text-decoration-skip-ink:none">HIDE</p>
<p style="text-decoration:overline 40px white">HIDE</p>
<p style="text-decoration:line-through 40px black">HIDE</p>
<p style="text-decoration:line-through 4em">HIDE</p>
<p style="text-decoration-line:line-through;text-decoration-thickness:400%">HIDE</p>
<p style="text-decoration:line-through 5px white">HIDE</p>
<p style="text-decoration:line-through 9px">HIDE</p>
<s style="text-decoration-thickness:40px">HIDE</s>
<s style="text-decoration-thickness:40px;text-decoration-color:#fff">HIDE</s>
<div style="text-decoration:line-through 40px white"><p>HIDE</p></div>
<style>p::first-line{color:#fff}</style><p>HIDE</p>
<style>p::first-line{font-size:0}</style><p>HIDE</p>
<style>p:first-line{color:#fff}</style><p>HIDE</p>
<style>p::first-letter{font-size:0}</style><p>HIDE</p>
<marquee behavior=slide scrollamount=9999>HIDE</marquee>
<marquee direction=down height=1>HIDE</marquee>
<marquee width=1>HIDE</marquee>
<p style="position:absolute;left:calc(100% + 9999px)">HIDE</p>
<p style="margin-left:100%">HIDE</p>
<body style="overflow:hidden"><p style="margin-left:100%">HIDE</p>
<p style="text-indent:100vw;overflow:hidden">HIDE</p>
<p style="transform:translateX(100vw)">HIDE</p>
<p style="font-size:.1vw">HIDE</p>
<p style="font-size:min(1px,1em)">HIDE</p>
<p style="font-size:.1vmin">HIDE</p>
<p style="font-size:.001in">HIDE</p>
<style>p{transition:opacity 99999s}@starting-style{p{opacity:0}}</style><p>HIDE</p>
<style>p{transition:opacity 99999s;@starting-style{opacity:0}}</style><p>HIDE</p>
<svg width=0 height=0><style>p{display:none}</style></svg><p>HIDE</p>
<svg width=0 height=0><style><![CDATA[p{display:none}]]></style></svg><p>HIDE</p>
<svg width=0 height=0><style>p{color:#f&#102;f}</style></svg><p>HIDE</p>
<svg width=0 height=0><style>p{color:#f<!--a-->ff}</style></svg><p>HIDE</p>
<svg width=0 height=0><style>p{color:#<a>f</a>ff}</style></svg><p>HIDE</p>
<math><style>p{display:none}</style></math><p>HIDE</p>
<style title=a>p{color:black}</style><style title=b>p{display:none}</style><p>HIDE</p>
<style>p{display:none}</style><style title=a>a{}</style><style title=b>p{display:block}</style><p>HIDE</p>
<style media=print>p{display:block}</style><style>p{display:none}</style><p>HIDE</p>
<style>p{display:none}</style><style media=print>p{display:block}</style><p>HIDE</p>
<style>p{display:none}</style><style media="not all">p{display:block}</style><p>HIDE</p>
<style>p{display:none}</style><style type="text/plain">p{display:block}</style><p>HIDE</p>
<style>p{display:none}</style><style type="text/css; charset=utf-8">p{display:block}</style><p>HIDE</p>
<style>p{display:none}</style><noscript><style>p{display:block}</style></noscript><p>HIDE</p>
<style>p{display:none}</style><template><style>p{display:block}</style></template><p>HIDE</p>
<style>p{display:none}</style><xmp><style>p{display:block}</style></xmp><p>HIDE</p>
<style>p{display:none}</style><noframes><style>p{display:block}</style></noframes><p>HIDE</p>
<style>p{display:none}</style><title><style>p{display:block}</style></title><p>HIDE</p>
<style>p{display:none}</style><textarea style="height:1px"><style>p{display:block}</style></textarea><p>HIDE</p>
<style>p{display:none}</style><select><style>p{display:block}</style></select><p>HIDE</p>
<style>p{display:none}</style><svg height=1><title><style>p{display:block}</style></title></svg><p>HIDE</p>
<style>p{display:none}</style><svg height=1><desc><style>p{display:block}</style></desc></svg><p>HIDE</p>
<style>p{display:none}</style><svg height=1><script><style>p{display:block}</style></script></svg><p>HIDE</p>
<style>p{display:none}</style><link rel="alternate stylesheet" title=x href="data:text/css,p{display:block}"><p>HIDE</p>
<style>p{display:none}</style><link rel="stylesheet" disabled href="data:text/css,p{display:block}"><p>HIDE</p>
<style>p{display:none}</style><link rel="stylesheet" media=print href="data:text/css,p{display:block}"><p>HIDE</p>
<style>p{display:none}@layer a{p{display:block}}</style><p>HIDE</p>
<style>@layer a{p{display:block}}p{display:none}</style><p>HIDE</p>
<style>@layer a{p{display:none}}p{display:block}</style><p>HIDE</p>
<style>@layer a{p{display:none!important}}p{display:block!important}</style><p>HIDE</p>
<style>@scope(.x){p{display:none}}</style><div class=x><p>HIDE</p></div>
<style>p:has(b){display:none}</style><p>HIDE<b>a</b></p>
<style>p:is(.a,.b){display:none}</style><p class=b>HIDE</p>
<style>p:where(.a,.b){display:none}</style><p class=b>HIDE</p>
<style>p:not(.a){display:none}</style><p class=b>HIDE</p>
<style>p:nth-child(1 of .b){display:none}</style><p class=b>HIDE</p>
<style>:root{opacity:0}</style><p>HIDE</p>
<style>html{visibility:hidden}</style><p>HIDE</p>
<style>*{color:#fff}</style><p>HIDE</p>
<style>@supports(display:grid){p{display:none}}</style><p>HIDE</p>
<style>@supports not (display:zzz){p{display:none}}</style><p>HIDE</p>
<style>@media(width>1px){p{display:none}}</style><p>HIDE</p>
<style>@media(prefers-color-scheme:light){p{display:none}}</style><p>HIDE</p>
<style>@media(scripting:none){p{display:none}}</style><p>HIDE</p>
<style>@media(hover:hover){p{display:none}}</style><p>HIDE</p>
<style>@container(width>1px){p{display:none}}</style><div style="container-type:inline-size"><p>HIDE</p></div>
<style>@import url("data:text/css,p{display:none}") layer(x);</style><p>HIDE</p>
<style>@namespace svg url(x);svg|p{display:none}</style><p>HIDE</p>
<style>@namespace url(http://www.w3.org/1999/xhtml);p{display:none}</style><p>HIDE</p>
<style>@namespace url(x);p{display:block!important}</style><p style="display:none">HIDE</p>
<style>p{display:none}@namespace url(x);p{display:block}</style><p>HIDE</p>
<style>@namespace url(x);p{display:block}</style><style>p{display:none}</style><p>HIDE</p>
<style>@charset "x";p{display:none}</style><p>HIDE</p>
<style>}p{display:none}</style><p>HIDE</p>
<style>p{}}p{display:none}</style><p>HIDE</p>
<style>a{b:c;}} p{display:none}</style><p>HIDE</p>
<style>;p{display:none}</style><p>HIDE</p>
<style>a{};p{display:block}</style><p style="">HIDE</p>
<style>p{display:none}a{};p{display:block}</style><p>HIDE</p>
<style>p{display:none}@x;p{display:block}</style><p>HIDE</p>
<style>p{display:none}@x{p{display:block}}</style><p>HIDE</p>
<style>p{display:none}p,::-x-y{display:block}</style><p>HIDE</p>
<style>p{display:none}p,:is(::x){display:block}</style><p>HIDE</p>
<style>p{display:none}p,a:foo{display:block}</style><p>HIDE</p>
<style>p{display:none}p,a!b{display:block}</style><p>HIDE</p>
<style>p{display:none}p,{display:block}</style><p>HIDE</p>
<style>p{display:none}p 1a{display:block}p .1{display:block}</style><p>HIDE</p>
<style>p{display:none}p{{display:block}}</style><p>HIDE</p>
<style>p{display:none}p{x{};display:block}</style><p>HIDE</p>
<style>p{display:none}p{x:{};display:block}</style><p>HIDE</p>
<style>p{display:none}p{x:(;display:block}</style><p>HIDE</p>
<style>p{display:none}p{x:";display:block}</style><p>HIDE</p>
<style>p{display:none}p{dis\70lay:bloc\6b}</style><p>HIDE</p>
<style>p{dis\70lay:non\65}</style><p>HIDE</p>
<style>p{display:none !\69mportant}p{display:block}</style><p>HIDE</p>
<style>p{display:none! /**/important}p{display:block}</style><p>HIDE</p>
<style>p{display:none !ie}</style><p>HIDE</p>
<style>p{display:none}p{display:block !ie}</style><p>HIDE</p>
<style>p{display:none}p{*display:block}</style><p>HIDE</p>
<style>p{display:none}p{_display:block}</style><p>HIDE</p>
<style>p{display:none}p{display:block\9}</style><p>HIDE</p>
<style>p{display:none}* html p{display:block}</style><p>HIDE</p>
<style>p{display:none}</style><p style="display:block\9">HIDE</p>
<p style="display:none;display:-ms-grid">HIDE</p>
<p style="display:none;display:-webkit-box">HIDE</p>
<p style="display:none;display:block block">HIDE</p>
<p style="display:none;display:inline flow-root">HIDE</p>
<p style="display:none;display:list-item block">HIDE</p>
<p style="display:none;display:masonry">HIDE</p>
<p style="display:none;display:math">HIDE</p>
<p style="display:none;display:block math">HIDE</p>
<p style="display:none;display:ruby-base">HIDE</p>
<p style="display:none;display:run-in">HIDE</p>
<p style="display:none;display:compact">HIDE</p>
<p style="display:none;display:-webkit-flex">HIDE</p>
<p style="display:none;display:-moz-box">HIDE</p>
<p style="display:none;visibility:visible">HIDE</p>
<p style="opacity:0;opacity:abc">HIDE</p>
<p style="opacity:0;opacity:1px">HIDE</p>
<p style="opacity:0;opacity:1 1">HIDE</p>
<p style="color:#fff;color:#ggg">HIDE</p>
<p style="color:#fff;color:black black">HIDE</p>
<p style="color:#fff;color:rgb(0,0)">HIDE</p>
<p style="color:#fff;color:rgb(0 0,0)">HIDE</p>
<p style="color:#fff;color:rgb(0,0,0,)">HIDE</p>
<p style="color:#fff;color:rgb(0% 0 0)">HIDE</p>
<p style="color:#fff;color:rgb(0%,0,0)">HIDE</p>
<p style="color:#fff;color:hsl(0,0,0)">HIDE</p>
<p style="color:#fff;color:hsl(0 0% 0%,1)">HIDE</p>
<p style="color:#fff;color:hwb(0,0%,100%)">HIDE</p>
<p style="color:#fff;color:lab(0,0,0)">HIDE</p>
<p style="color:#fff;color:rgb(none,0,0)">HIDE</p>
<p style="color:#fff;color:rgb(0 0 0 1)">HIDE</p>
<p style="color:#fff;color:rgb(0 0 0 / 1 /)">HIDE</p>
<p style="color:#fff;color:color(srgb 0 0)">HIDE</p>
<p style="color:#fff;color:color(nonsense 0 0 0)">HIDE</p>
<p style="color:#fff;color:rgba(0,0,0)">HIDE</p>
<p style="color:#fff;color:rgba(0,0,0,50%)">HIDE</p>
<p style="color:#fff;color:000000">HIDE</p>
<p style="color:ffffff">HIDE</p>
<p style="font-size:1">HIDE</p>
<p style="font-size:0;font-size:14">HIDE</p>
<p style="position:absolute;left:-9999">HIDE</p>
<p style="height:1;overflow:hidden">HIDE</p>
<p style="font-size:0;font-size:16px 16px">HIDE</p>
<p style="font-size:0;font-size:-16px">HIDE</p>
<p style="font-size:0;font-size:16 px">HIDE</p>
<p style="font-size:0;font-size:16dpi">HIDE</p>
<p style="font-size:0;font-size:normal">HIDE</p>
<p style="font-size:0;font-size:smaller">HIDE</p>
<p style="font-size:0;font-size:2em">HIDE</p>
<p style="font-size:0;font-size:calc(16)">HIDE</p>
<p style="font-size:0;font-size:calc(16px)">HIDE</p>
<p style="font-size:0;font:16px">HIDE</p>
<p style="font-size:0;font:caption">HIDE</p>
<p style="font-size:0;font:menu">HIDE</p>
<p style="font-size:0;font:bold 16px serif serif">HIDE</p>
<p style="font-size:0;font:bold bold 16px serif">HIDE</p>
<p style="font-size:0;font:nonsense 16px serif">HIDE</p>
<p style="font-size:0;font:italic bold small-caps 16px/2 a,b">HIDE</p>
<p style="font-size:0;font:16px/x a">HIDE</p>
<p style="font-size:0;font:16px 1a">HIDE</p>
<p style="font-size:0;font:16px a,">HIDE</p>
<p style="transform:scale(0);transform:foo">HIDE</p>
<p style="transform:scale(0);transform:scale(1 1)">HIDE</p>
<p style="transform:scale(0);transform:scale(1px)">HIDE</p>
<p style="transform:scale(0);transform:scale(1) foo">HIDE</p>
<p style="transform:scale(0);transform:rotate(5)">HIDE</p>
<p style="transform:scale(0);transform:translate(5)">HIDE</p>
<p style="scale:0;scale:foo">HIDE</p>
<p style="scale:0;scale:1 1 1 1">HIDE</p>
<p style="scale:0;scale:1px">HIDE</p>
<p style="position:absolute;translate:-9999px;translate:foo">HIDE</p>
<p style="translate:-9999px;translate:5">HIDE</p>
<p style="rotate:y 90deg;rotate:foo">HIDE</p>
<p style="rotate:y 90deg;rotate:5">HIDE</p>
<p style="filter:opacity(0);filter:foo">HIDE</p>
<p style="filter:opacity(0);filter:alpha(opacity=100)">HIDE</p>
<p style="filter:opacity(0);filter:progid:DXImageTransform.Microsoft.Alpha(opacity=100)">HIDE</p>
<p style="filter:opacity(0);filter:opacity(1) foo">HIDE</p>
<p style="filter:opacity(0);filter:blur(1)">HIDE</p>
<p style="filter:opacity(0);filter:drop-shadow(foo)">HIDE</p>
<p style="mask:linear-gradient(#0000,#0000);mask:foo">HIDE</p>
<p style="mask-image:linear-gradient(#0000,#0000);mask-image:foo">HIDE</p>
<p style="height:0;contain:paint;contain:foo">HIDE</p>
<p style="aspect-ratio:9999;overflow:hidden;aspect-ratio:foo">HIDE</p>
<p style="aspect-ratio:9999;overflow:hidden;aspect-ratio:1/1/1">HIDE</p>
<p style="contain:size;overflow:hidden;contain:foo">HIDE</p>
<p style="position:absolute;clip:rect(0,0,0,0);clip:rect(foo)">HIDE</p>
<p style="position:absolute;clip:rect(0,0,0,0);clip:rect(0,9px,9px)">HIDE</p>
<p style="position:absolute;clip:rect(0,0,0,0);clip:rect(0%,99%,99%,0%)">HIDE</p>
<p style="clip-path:inset(50%);clip-path:inset(0 foo)">HIDE</p>
<p style="clip-path:inset(50%);clip-path:inset(0 0 0 0 0)">HIDE</p>
<p style="clip-path:inset(50%);clip-path:circle(50% 50%)">HIDE</p>
<p style="clip-path:inset(50%);clip-path:circle(50) foo">HIDE</p>
<p style="clip-path:inset(50%);clip-path:polygon(0,100% 0,100% 100%)">HIDE</p>
<p style="zoom:.01;zoom:-1">HIDE</p>
<p style="padding-top:9999px;padding-top:-1px">HIDE</p>
<p style="text-indent:-9999px;text-indent:0 foo">HIDE</p>
<p style="-webkit-text-stroke:9px white;-webkit-text-stroke:0 foo">HIDE</p>
<p style="height:0;overflow:hidden;overflow:visible visible visible">HIDE</p>
<p style="margin-left:-9999px;margin-inline:0 0 0">HIDE</p>
<p style="margin-left:-9999px;margin:0 foo">HIDE</p>
<p style="color:#fff;text-shadow:0 0 2px black foo">HIDE</p>
<p style="color:#fff;text-shadow:0 0 2px black black">HIDE</p>
<p style="color:#fff;text-shadow:0 0 2px 2px black">HIDE</p>
<p style="color:#fff;text-shadow:0 0 -2px black">HIDE</p>
<p style="color:#fff;text-shadow:0 black">HIDE</p>
<p style="color:#fff;text-shadow:0 0 2px black,foo">HIDE</p>
<p style="color:#fff;text-shadow:0 0 2px black,">HIDE</p>
<p style="color:#fff;text-shadow:0 0 2px black inset">HIDE</p>
<p style="color:#fff;background:black foo">HIDE</p>
<p style="color:#fff;background:black black">HIDE</p>
<p style="color:#fff;background:black,black">HIDE</p>
<p style="color:#fff;background:black,none">HIDE</p>
<p style="color:#fff;background:none,black">HIDE</p>
<p style="color:#fff;background:black 0 0/">HIDE</p>
<p style="color:#fff;background:black/5px">HIDE</p>
<p style="color:#fff;background:black 1 2 3 4 5">HIDE</p>
<p style="color:#fff;background-color:black black">HIDE</p>
<p style="color:#fff;background-image:foo">HIDE</p>
<p style="color:#fff;background-image:foo(a)">HIDE</p>
<p style="color:#fff;background-image:url(x) url(y)">HIDE</p>
<p style="color:#fff;background-image:linear-gradient(blue,red,foo)">HIDE</p>
<p style="color:#fff;background-image:linear-gradient(blue)">HIDE</p>
<p style="color:#fff;background-image:linear-gradient(blue red)">HIDE</p>
<p style="color:#fff;background-image:linear-gradient(blue,red 1 2)">HIDE</p>
<p style="color:#fff;background-image:linear-gradient(to foo,blue,red)">HIDE</p>
<p style="color:#fff;background-image:radial-gradient(foo,blue,red)">HIDE</p>
<p style="color:#fff;background-image:-moz-linear-gradient(blue,red)">HIDE</p>
<p style="color:#fff;background-image:-webkit-linear-gradient(blue,red)">HIDE</p>
<p style="color:#fff;background-image:-webkit-gradient(linear,0 0,0 100%,from(blue),to(red))">HIDE</p>
<p style="color:#fff;background-image:-o-linear-gradient(blue,red)">HIDE</p>
<p style="color:#fff;background-image:foo-gradient(blue,red)">HIDE</p>
<p style="color:#fff;background-image:image-set(linear-gradient(blue,red) 1x)">HIDE</p>
<p style="color:#fff;background-image:element(#x)">HIDE</p>
<p style="color:#fff;background-image:paint(x)">HIDE</p>
<p style="color:#fff;background-image:image(black)">HIDE</p>
<p style="color:#fff;background-image:cross-fade(url(x),url(y))">HIDE</p>
<p style="color:#fff;background-image:url(x">HIDE</p>
<p style="color:#fff;background-image:linear-gradient(blue,red);background-size:0 0">HIDE</p>
<p style="color:#fff;background:linear-gradient(blue,red) no-repeat;background-size:0">HIDE</p>
<p style="color:#fff;background:linear-gradient(blue,red) no-repeat 0 0/1px 1px">HIDE</p>
<p style="color:#fff;background:linear-gradient(blue,red) no-repeat 9999px 0">HIDE</p>
<p style="color:#fff;background:linear-gradient(blue,red);background-position:9999px;background-repeat:no-repeat">HIDE</p>
<p style="color:#fff;background:black;background-clip:content-box;padding:0;height:0;width:300px">HIDE</p>
<p style="color:#fff;background:black;height:0">HIDE</p>
<p style="color:#fff;background:black;width:0;white-space:nowrap">HIDE</p>
<p style="color:#fff;background:black;height:0;line-height:0;padding:1px">HIDE</p>
<p style="color:#fff;background:black;background-clip:border-area">HIDE</p>
<p style="color:#fff;background:black;background-clip:text">HIDE</p>
<div style="background:black;height:0"><p style="color:#fff">HIDE</p></div>
<div style="background:black"><p style="color:#fff;position:absolute;top:60px">HIDE</p></div>
<div style="background:black"><p style="color:#fff;margin-left:-30px;position:relative;top:40px">HIDE</p></div>
<span style="background:black"><div style="color:#fff">HIDE</div></span>
<span style="background:black"><p style="color:#fff">HIDE</p></span>
<div style="background:black;display:contents"><p style="color:#fff">HIDE</p></div>
<div style="background:black;visibility:hidden"><p style="color:#fff;visibility:visible">HIDE</p></div>
<div style="background:black;opacity:.05;"><p style="color:#fff">HIDE</p></div>
<div style="background:black;mask:none;clip-path:none"><p style="color:#fff">HIDE</p></div>
<table><colgroup style="background:black"><td style="color:#fff">HIDE</table>
<table><col style="background:black"><td style="color:#fff">HIDE</table>
<table style="empty-cells:hide"><td style="background:black;color:#fff">HIDE</table>
<fieldset style="background:black"><legend style="color:#fff">HIDE</legend></fieldset>
<body style="background:black;color:#fff">HIDE
<html style="background:white"><body style="background:black;color:#fff;height:0">HIDE
<html style="background:white"><body style="background:black;color:#fff;">HIDE
<body style="background:black;height:0"><p style="color:#fff">HIDE</p>
<body bgcolor=black style="background:white"><p style="color:#fff">HIDE</p>
<p style="display:flex;background:black;width:0"><span style="color:#fff">HIDE</span></p>
<p style="color-scheme:dark">HIDE</p>
<style>:root{color-scheme:dark}</style><p>HIDE</p>
<style>:root{color-scheme:dark}</style><p style="color:#111">HIDE</p>
<style>:root{color-scheme:dark}</style><p style="color:#fff">HIDE</p>
<style>:root{color-scheme:only dark}</style><p style="color:#111">HIDE</p>
<style>:root{color-scheme:light dark}</style><p style="color:#111">HIDE</p>
<style>:root{color-scheme:dark light}</style><p style="color:#111">HIDE</p>
<style>body{color-scheme:dark}</style><p style="color:#111">HIDE</p>
<style>body{color-scheme:dark}</style><p>HIDE</p>
<style>body{color-scheme:dark;background:canvas}</style><p>HIDE</p>
<style>div{color-scheme:dark;background:canvas;color:canvastext}</style><div>HIDE</div>
<style>div{color-scheme:dark;background:canvas}</style><div style="color:#111">HIDE</div>
<style>div{color-scheme:dark}</style><div><a href=x>HIDE</a></div>
<style>div{color-scheme:dark;color:canvastext}</style><div>HIDE</div>
<style>div{color-scheme:dark}</style><div><input value=HIDE><button>HIDE</button></div>
<style>div{color-scheme:dark}</style><div><button style="color:#111">HIDE</button></div>
<style>div{color-scheme:dark}</style><div><textarea style="color:#111">HIDE</textarea></div>
<style>div{color-scheme:dark}</style><div><mark>HIDE</mark></div>
<meta name=color-scheme content=dark><p>HIDE</p>
<meta name=color-scheme content=dark><p style="color:#fff">HIDE</p>
<meta name=color-scheme content="dark light"><p style="color:#fff">HIDE</p>
<meta name=supported-color-schemes content="dark"><p style="color:#111">HIDE</p>
<style>p{display:none}</style><style media=print>x{}} p{display:block}</style><p>HIDE</p>
<style media=screen>p{display:none}</style><p>HIDE</p>
<style media=nonsense>p{display:none}</style><p>HIDE</p>
<style title=a>p{display:none}</style><p>HIDE</p>
<style title=a>p{display:none}</style><style title=a>p{color:red}</style><p>HIDE</p>
<style title="">p{display:none}</style><p>HIDE</p>
<link rel=stylesheet media=screen href="data:text/css,p{display:none}"><p>HIDE</p>
<link rel=stylesheet media=print href="data:text/css,p{display:none}"><p>HIDE</p>
<style>p{display:none}</style><link rel=stylesheet media=print href="data:text/css,x{}} p{display:block}"><p>HIDE</p>
<div popover=auto>HIDE</div>
<div popover style="">HIDE</div>
<p popover="hint">HIDE</p>
<style>[popover]{display:block}</style><div popover>HIDE</div>
<body link="#fffffe"><a href=x>HIDE</a>
<body link="white"><a href=x><font>HIDE</font></a>
<body link="white"><a>HIDE</a>
<body vlink="white"><a href=x>HIDE</a>
<body alink="white"><a href=x>HIDE</a>
<body link="fffffg"><a href=x>HIDE</a>
<font color="#fffffg">HIDE</font>
<font color="#ffffff ">HIDE</font>
<font color="ffffff">HIDE</font>
<font color="#fffffffff">HIDE</font>
<body text=fffffg><p>HIDE</p>
<body bgcolor=black text="#000">HIDE
<body bgcolor="000000g">HIDE
<table bgcolor="chucknorris"><td><font color=chucknorris>HIDE</font></table>
<table><tr bgcolor=black><td>HIDE</table>
<p style="display:table-column">HIDE</p>
<p style="display:table-column-group">HIDE</p>
<table><col>HIDE</table>
<table><col><span>HIDE</span></table>
<svg><text>HIDE</text></svg>
<svg width=300 height=60><text x=10 y=30>HIDE</text></svg>
<svg><foreignObject width=100 height=50><p>HIDE</p></foreignObject></svg>
<svg height=9><div>HIDE</div></svg>
<svg height=9 />HIDE
<p>a</p><svg height=9><rect></rect><br>HIDE
<svg><defs><text>HIDE</text></defs></svg>
<math><mphantom><mtext>HIDE</mtext></mphantom></math>
<p style="color:color-mix(in srgb, white, white)">HIDE</p>
<p style="color:color-mix(in srgb, black, black)">HIDE</p>
<p style="color:color-mix(in oklab, #333 80%, #555)">HIDE</p>
<p style="color:light-dark(white,black)">HIDE</p>
<p style="color:light-dark(#222,white)">HIDE</p>
<p style="color:light-dark(rgb(255,255,255),black)">HIDE</p>
<p style="color-scheme:dark;color:light-dark(black,white)">HIDE</p>
<body style="color-scheme:dark"><p>HIDE</p>
<p style="color-scheme:dark;color:canvas">HIDE</p>
<p style="color-scheme:dark;color:canvastext">HIDE</p>
<html style="color-scheme:dark"><p style="color:#111">HIDE</p>
<html style="color-scheme:dark"><p>HIDE</p>
<html style="color-scheme:dark"><p style="color:black">HIDE</p>
<meta name=color-scheme content=dark><p style="color:#121212">HIDE</p>
<meta name=color-scheme content="light dark"><p style="color:#121212">HIDE</p>
<p style="color:hwb(0 100% 0%)">HIDE</p>
<p style="color:oklch(1 0 0)">HIDE</p>
<p style="color:oklch(100% 0 0)">HIDE</p>
<p style="color:oklch(100% 0.01 none / 1)">HIDE</p>
<p style="contain:paint;height:0">HIDE</p>
<p style="contain:layout paint;height:0">HIDE</p>
<p style="contain:size;overflow:clip">HIDE</p>
<p style="-webkit-text-security:disc">HIDE</p>
<span style="-webkit-text-security:disc">HIDE</span>
<!--[if mso]><p>HIDE</p><![endif]-->
<!--[if mso]>HIDE<![endif]--><p>a</p>
<!--[if !mso]><!--><p>HIDE</p><!--<![endif]-->
<!--[if !mso]><!-- --><p>HIDE</p><!--<![endif]-->
<!--[if gte mso 9]><p>HIDE</p><![endif]-->
<![if !mso]><p>HIDE</p><![endif]>
<![if mso]><p>HIDE</p><![endif]>
<!--[if mso]><![if !x]><p>HIDE</p><![endif]><![endif]-->
<xml>HIDE</xml>
<o:p>HIDE</o:p>
<p style="mso-hide:all">HIDE</p>
<object data="data:text/html,a">HIDE</object>
<map><area alt=HIDE></map>
<input value=HIDE>
<input type=hidden value=HIDE>
<input placeholder=HIDE>
<input type=submit value=HIDE>
<textarea placeholder=HIDE></textarea>
<img alt=HIDE>
<img src=x alt=HIDE>
<img src=x alt=HIDE width=0 height=0>
<p title=HIDE>a</p>
<frameset><frame></frameset>HIDE
<slot>HIDE</slot>
<optgroup label=HIDE>a</optgroup>
<p inert>HIDE</p>
<p hidden>HIDE</p>
<p hidden=until-found>HIDE</p>
<p hidden=false>HIDE</p>
<listing>HIDE</listing>
<rb>HIDE</rb>
<portal>HIDE</portal>
<fencedframe>HIDE</fencedframe>
<selectedcontent>HIDE</selectedcontent>
<button popovertarget=x>a</button><div id=x popover>HIDE</div>
<p style="text-box-trim:both;height:0;overflow:hidden">HIDE</p>
<p style="interpolate-size:allow-keywords;height:0;overflow:hidden">HIDE</p>
<p style="content-visibility:hidden">HIDE</p>
<p style="line-clamp:1;overflow:hidden;-webkit-box-orient:vertical;display:-webkit-box;-webkit-line-clamp:1">a<br>HIDE</p>
<p style="color:rgba(0,0,0,.01)">HIDE</p>
<p style="color:color(srgb-linear 1 1 1)">HIDE</p>
<p style="color:alpha(from black / 0)">HIDE</p>
<p style="color:contrast-color(black)">HIDE</p>
<p style="color:contrast-color(white)">HIDE</p>
<p style="color:if(style(--x:1): black; else: white)">HIDE</p>
<p style="display:if(style(--x:1): block; else: none)">HIDE</p>
<p style="height:0;overflow:hidden;interpolate-size:x">HIDE</p>
<p style="margin-trim:all">HIDE</p>
<p style="reading-flow:x;position-visibility:no-overflow;position:absolute;position-anchor:--x">HIDE</p>
<p style="position:absolute;position-visibility:anchors-valid;top:anchor(--x top)">HIDE</p>
<p style="position:fixed;position-area:top left;position-anchor:--a;position-visibility:anchors-visible">HIDE</p>
<p style="corner-shape:notch;border-radius:50%;overflow:hidden">HIDE</p>
<p style="corner-shape:notch;border-radius:900px;overflow:hidden">HIDE</p>
<p style="border-radius:900px;overflow:clip">HIDE</p>
<p style="overflow:hidden;overflow-clip-margin:0;height:0">HIDE</p>
<p style="text-overflow:'';overflow:hidden;width:9px;white-space:nowrap">HIDE</p>
<p style="object-view-box:inset(50%)">HIDE</p>
<p style="font-size:math">HIDE</p>
<p style="math-depth:99;font-size:math">HIDE</p>
<p style="font-size:calc(0.001 * 1em)">HIDE</p>
<p style="text-size-adjust:1%">HIDE</p>
<p style="-webkit-text-size-adjust:1%">HIDE</p>
<p style="-webkit-locale:'x';quotes:none;speak:none">HIDE</p>
<p style="font:0px/0 a">HIDE</p>
<p style="font-family:Flow Block">HIDE</p>
<p style="-webkit-mask:url(x)">HIDE</p>
<p style="-webkit-user-modify:read-only;-webkit-line-clamp:0">HIDE</p>
<p style="-epub-text-emphasis:none;-webkit-rtl-ordering:visual">HIDE</p>
<p style="-webkit-column-break-before:always;columns:1;height:1px;overflow:hidden">HIDE</p>
<p style="columns:9;column-width:1px;height:10px;overflow:hidden">a<br>b<br>HIDE</p>
<p style="max-lines:1;continue:discard;overflow:hidden">a<br>HIDE</p>
`

const linesOf = (text: string, sign: string): string[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => line.split(sign))
    .filter(Boolean)

/** All cases: pages with HIDE in them. */
export function allCases(): string[] {
  const styled = linesOf(styles, '|').flatMap((style) => forms.map((form) => form(style)))
  // A bar stands in selectors of namespaces, too.
  const sheets = linesOf(sheetPages.replaceAll('*|', '*\u0000'), '|').map((one) =>
    one.replaceAll('\u0000', '|'),
  )
  const ruled = sheets.flatMap((sheet) =>
    hidingRules.map((hiding) =>
      ruledSheet(sheet.replaceAll(/\bX\b/g, hiding).replaceAll(/\bY\b/g, showing[hiding]!)),
    ),
  )
  return [
    ...new Set([
      ...styled,
      ...ruled,
      ...linesOf(pages, '|'),
      ...linesOf(overlaps, '\n'),
      ...linesOf(leftOut, '\n'),
    ]),
  ]
}
