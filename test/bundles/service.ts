// A service in one file where nothing is installed, which cannot be.
import { createService } from 'restante/service'

createService().catch((error) => console.log(error.code, error.message))
