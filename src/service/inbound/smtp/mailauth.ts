// Of the package only what checks signatures, bundled by itself: the whole brings fifty others for what is not done here.
export { arc } from 'mailauth/lib/arc'
export { dkimVerify } from 'mailauth/lib/dkim/verify'
