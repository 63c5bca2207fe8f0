/** Small documents, each with a way to lay out that senders of newsletters and replies use. */
export const looks: Record<string, string> = {
  'a table of prices': `<table width="600" border="1" cellpadding="8" cellspacing="0" align="center">
    <tr bgcolor="#eeeeee"><th align="left" width="60%">Item</th><th align="center">Count</th><th align="right">Price</th></tr>
    <tr><td rowspan="2" valign="top">Bicycle</td><td align="center">2</td><td align="right">800.00</td></tr>
    <tr><td align="center">1</td><td align="right">17.00</td></tr>
    <tr><td colspan="2" height="60" valign="bottom" nowrap>All of it</td><td align="right"><b>1617.00</b></td></tr></table>`,
  'Arabic by dir of a block': `<div dir="rtl" lang="ar">مرحبا، هذا بريد <b>مهم</b>: 1. واحد 2. اثنان</div><ol dir="rtl"><li>واحد</li><li>اثنان</li></ol>`,
  'Arabic by dir of the document': `<!DOCTYPE html><html dir="rtl" lang="ar"><body><p>مرحبا، هذا بريد مهم.</p><table><tr><td>يمين</td><td>يسار</td></tr></table></body></html>`,
  'a document with a background of its own': `<html style="background: #204060"><head><style>html { padding: 20px } .inner { color: #fff }</style></head><body style="margin: 0"><p class="inner">Night</p></body></html>`,
  'letters by font': `<font color="#cc0000" face="Georgia, serif" size="5">Red and large</font> <font color="green">green</font>`,
  'body with colours and margins': `<body bgcolor="#fff8e0" text="#003366" link="#cc0000" leftmargin="0" topmargin="0" marginwidth="0" marginheight="0"><p>Text <a href="https://shop.example/">link</a></p></body>`,
  'lists that begin elsewhere': `<ol start="5" type="a"><li>five</li><li value="9">nine</li></ol><ul type="square"><li>square</li></ul>`,
  'rules and pictures with sizes': `<hr width="50%" size="5" color="red" align="left"><img src="https://shop.example/a.png" width="200" height="80" hspace="10" border="2" align="left" alt="Shop"><p>Beside it.</p><br clear="all"><p>Below it.</p>`,
  'a sheet by class, media and import': `<head><style>@import url(https://shop.example/a.css); .card { width: 400px; margin: 0 auto; border: 1px solid #999; padding: 20px } @media (max-width: 500px) { .card { width: 100% } } @media (min-width: 700px) { .card { background: #eef } }</style></head><div class="card"><h1>Card</h1></div>`,
  'centred, old': `<center><table width="400" bgcolor="#ddeeff"><tr><td><center>In the middle</center></td></tr></table></center><p align="right">Right</p><h2 align="center">Centre</h2>`,
  'columns and captions': `<table border="1" frame="hsides" rules="rows" summary="A table"><caption align="bottom">Caption</caption><colgroup><col width="200"><col width="100" align="right"></colgroup><thead><tr><th scope="col">A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>`,
  'a sheet of Outlook, in a comment': `<head><style><!-- @font-face { font-family: Tahoma } p.MsoNormal { margin: 0; color: #1f497d; font-size: 20px } --></style></head><p class="MsoNormal">Dear Ana,</p><p class="MsoNormal">thank you.</p>`,
  'a reply with its quote': `<div dir="ltr">Hi. I am fine.<br><br>Alex</div><br><div class="gmail_quote"><div dir="ltr">On Mon, Ana wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"><div dir="ltr">How are <b>you</b>?</div></blockquote></div>`,
}
