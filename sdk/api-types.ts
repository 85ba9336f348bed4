/* Written by npm run openapi from the OpenAPI document. */

/**
 * El estado actual de la única checada.
 */
export type LogStatus = 'pending' | 'approved' | 'rejected'
export type LogStatus1 = 'pending' | 'approved' | 'rejected'
export type LogKind = 'entrada' | 'salida' | 'checada'
export type LogEventKind = 'recorded' | 'decided'
export type HoursException =
  | 'sin_salida'
  | 'sin_entrada'
  | 'entrada_repetida'
  | 'menos_de_60_s'
  | 'jornada_larga'
  | 'pendientes'
  | 'rechazada'
  | 'posible_desfase'
  | 'semana_sobre_limite'
  | 'sin_checadas'
  | 'sin_sincronizar'
export type HoursNotice =
  | 'rechazada'
  | 'manual'
  | 'solicitada'
  | 'tipo_deducido'
  | 'repetida'
  | 'extemporanea'
  | 'fuera_de_relacion'
  | 'otra_red'

export interface ApiOperations {
  '/api/auth/login': {
    $post: {
      input: {
        json: LoginBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SignedIn
        }
        '400': ContractFailure
        '401': ContractFailure
        '403': ContractFailure
        '405': ContractFailure
        '408': ContractFailure
        '413': ContractFailure
        '422': ContractInvalidInput
        '429': ContractFailure
        '500': ContractFailure
        '502': ContractFailure
        '503': ContractFailure
        '507': ContractFailure
      }
    }
  }
  '/api/auth/me': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: CurrentUser
        }
        '400': ContractFailure
        '401': BareFailure
        '405': ContractFailure
        '408': ContractFailure
        '413': ContractFailure
        '500': ContractFailure
        '502': ContractFailure
        '503': ContractFailure
        '507': ContractFailure
      }
    }
  }
  '/api/auth/logout': {
    $post: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/auth/logout_all': {
    $post: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/auth/password': {
    $post: {
      input: {
        json: PasswordChangeBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SignedIn
        }
        '400': Failure
        '401': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/employees': {
    $get: {
      input: {
        query: {
          q: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: FoundEmployees
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/employees': {
    $get: {
      input: {
        query?: {
          q?: string
          branch_office?: string
          department?: string
          payroll_group?: string
          active?: 'true' | 'false'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: EmployeePage
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/employees/bulk': {
    $post: {
      input: {
        json: BulkEmployeesBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: BulkResults
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': EmployeeConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/employees/:employee_id': {
    $get: {
      input: {
        param: {
          employee_id: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SavedEmployee
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $put: {
      input: {
        param: {
          employee_id: string
        }
        json: EmployeeBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SavedEmployee
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': EmployeeConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $delete: {
      input: {
        param: {
          employee_id: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/changes': {
    $get: {
      input: {
        query: {
          subject: 'employee' | 'user' | 'payroll_group' | 'clock' | 'source' | 'company'
          subject_id?: string
          after?: string
          limit?: number
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: PeopleChanges
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/users': {
    $get: {
      input: {
        query?: {
          q?: string
          role?: string
          not_role?: string
          active?: 'true' | 'false'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: UserPage
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $post: {
      input: {
        json: CreateUserBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: CreatedUser
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': UserConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/users/:id': {
    $get: {
      input: {
        param: {
          id: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: OneUser
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $put: {
      input: {
        param: {
          id: string
        }
        json: UserBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SavedUser
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': UserConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/users/:id/revoke': {
    $post: {
      input: {
        param: {
          id: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/users/:id/invitation': {
    $post: {
      input: {
        param: {
          id: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: InvitationLink
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/users/:id/token': {
    $post: {
      input: {
        param: {
          id: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: MachineToken
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/people/invitations': {
    $post: {
      input: {
        json: InvitationsBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: EmployeeInvitations
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/auth/invitation/check': {
    $post: {
      input: {
        json: InvitationCheckBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: InvitedUser
        }
        '400': Failure
        '405': Failure
        '408': Failure
        '410': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/auth/invitation': {
    $post: {
      input: {
        json: InvitationBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SignedIn
        }
        '400': Failure
        '405': Failure
        '408': Failure
        '410': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/clients/modules_enabled': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          /**
           * @minItems 1
           */
          data: Module[]
        }
        '400': ContractFailure
        '404': ContractFailure
        '405': ContractFailure
        '408': ContractFailure
        '413': ContractFailure
        '500': ContractFailure
        '502': ContractFailure
        '503': ContractFailure
        '507': ContractFailure
      }
    }
  }
  '/api/v2/clients/validate-code': {
    $post: {
      input: {
        json: EntryCodeBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ActiveClient
        }
        '400': ContractFailure
        '403': ContractFailure
        '404': ContractFailure
        '405': ContractFailure
        '408': ContractFailure
        '413': ContractFailure
        '422': BareInvalidInput
        '429': ContractFailure
        '500': ContractFailure
        '502': ContractFailure
        '503': ContractFailure
        '507': ContractFailure
      }
    }
  }
  '/api/v2/clients/config/:config': {
    $get: {
      input: {
        param: {
          config: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ConfigEntry
        }
        '400': ContractFailure
        '404': ContractFailure
        '405': ContractFailure
        '408': ContractFailure
        '413': ContractFailure
        '422': ContractInvalidInput
        '500': ContractFailure
        '502': ContractFailure
        '503': ContractFailure
        '507': ContractFailure
      }
    }
  }
  '/api/v2/incidents/settings': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: InstallationSettings
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/health': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Health
        }
        '400': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/change_log_status': {
    $post: {
      input: {
        json: StatusChangeBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ChangedLog
        }
        '400': ContractFailure
        '401': ContractFailure
        '403': ContractFailure
        '405': ContractFailure
        '408': ContractFailure
        '409': ContractFailure
        '413': ContractFailure
        '422': ContractInvalidInput
        '500': ContractFailure
        '502': ContractFailure
        '503': ContractFailure
        '507': ContractFailure
      }
    }
  }
  '/api/v2/incidents/change_logs_status': {
    $post: {
      input: {
        json: BulkStatusChangeBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          /**
           * @minItems 1
           */
          data: ChangedLog[]
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': MovedLogs
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/logs': {
    $get: {
      input: {
        query?: {
          status?: LogStatus1
          employee_id?: string
          department?: string
          branch_office?: string
          kind?: LogKind
          from?: string
          to?: string
          order?: 'oldest' | 'newest'
          nearby?: boolean
          limit?: number
          cursor?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: LogPage
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $post: {
      input: {
        json: IntakeBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: IntakeResult[]
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/logs/summary': {
    $get: {
      input: {
        query?: {
          status?: LogStatus1
          employee_id?: string
          department?: string
          branch_office?: string
          kind?: LogKind
          from?: string
          to?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: LogSummary
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/logs/:log_id': {
    $get: {
      input: {
        param: {
          log_id: number
        }
        query?: {
          limit?: number
          cursor?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: LogDetail
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/export': {
    $get: {
      input: {
        query: {
          status?: LogStatus1
          employee_id?: string
          department?: string
          branch_office?: string
          kind?: LogKind
          from?: string
          to?: string
          order?: 'oldest' | 'newest'
          format: 'csv' | 'ndjson'
        }
      }
      responses: {
        '200': string
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
      row: ExportedLog
    }
  }
  '/api/v2/incidents/sources': {
    $get: {
      input: {
        query?: {
          retired?: 'true' | 'false'
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: LogSource[]
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/sources/:source': {
    $put: {
      input: {
        param: {
          source: string
        }
        json: SourceBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SavedSource
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/sources/:source/problems/:id/dismiss': {
    $post: {
      input: {
        param: {
          source: string
          id: string
        }
        json: DismissalBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/changes': {
    $get: {
      input: {
        query?: {
          after?: number
          limit?: number
          event?: LogEventKind
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ChangePage
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_logs': {
    $get: {
      input: {
        query?: {
          from?: string
          to?: string
          limit?: number
          after?: number
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: OwnLogs
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $post: {
      input: {
        json: OwnLogBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: OwnLogResult
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_requests': {
    $post: {
      input: {
        json: RequestBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: AddedLog
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/manual_logs': {
    $post: {
      input: {
        json: ManualLogBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: AddedLog
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_push': {
    $put: {
      input: {
        json: PushBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $delete: {
      input: {
        json: PushEndpointBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockList
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial': {
    $put: {
      input: {
        param: {
          serial: string
        }
        json: ClockBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Clock
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': ClockConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/confirm': {
    $post: {
      input: {
        param: {
          serial: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Clock
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/waiting': {
    $post: {
      input: {
        json: WaitingBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: WaitingResult
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/numbers': {
    $get: {
      input: {
        param: {
          serial: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockNumbers
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/days_off': {
    $get: {
      input: {
        param: {
          serial: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockDaysOff
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/candidates': {
    $get: {
      input: {
        param: {
          serial: string
        }
        query: {
          number: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: NumberCandidates
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/file': {
    $post: {
      input: {
        param: {
          serial: string
        }
        json: ClockFileBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockFileResult
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/address': {
    $post: {
      input: {
        param: {
          serial: string
        }
        json: ClockAddressBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Clock
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/reject': {
    $post: {
      input: {
        param: {
          serial: string
        }
        json: ClockRejectionBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockRejection
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/hours': {
    $get: {
      input: {
        query: {
          format: 'csv' | 'ndjson'
          headers?: 'es'
          ids?: 'plain' | 'spreadsheet'
          from?: string
          to?: string
          employee_id?: string
          department?: string
          branch_office?: string
          payroll_group?: string
          by?: 'employee' | 'week'
          preview?: boolean
          exceptions?: boolean
          working?: boolean
          preview_rejected?: number
        }
      }
      responses: {
        '200': string
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
      row: HoursDay | HoursTotal | HoursWeek
    }
  }
  '/api/v2/incidents/hours/reviews': {
    $post: {
      input: {
        json: ReviewBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ReviewedDay
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': MovedLogs
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/payroll_groups': {
    $get: {
      input: {
        query?: {
          day?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: PayrollGroups
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $put: {
      input: {
        json: PayrollGroupBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: SavedGroup
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': GroupConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/closings': {
    $get: {
      input: {
        query?: {
          limit?: number
          cursor?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClosingPage
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $post: {
      input: {
        json: ClosingBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Closing
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': ClosingConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/closings/preview': {
    $get: {
      input: {
        query: {
          before: string
          payroll_group?: string
          employee_id?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClosingPreview
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/closings/preview/lines': {
    $get: {
      input: {
        query: {
          before: string
          payroll_group?: string
          employee_id?: string
          format: 'csv' | 'ndjson'
          headers?: 'es'
          ids?: 'plain' | 'spreadsheet'
          by?: 'employee' | 'week'
        }
      }
      responses: {
        '200': string
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
      row: ClosingLine | ClosingPerson | ClosingWeek
    }
  }
  '/api/v2/incidents/closings/:id': {
    $get: {
      input: {
        param: {
          id: number
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Closing
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/closings/:id/lines': {
    $get: {
      input: {
        param: {
          id: number
        }
        query: {
          format: 'csv' | 'ndjson'
          headers?: 'es'
          ids?: 'plain' | 'spreadsheet'
          by?: 'employee' | 'week'
        }
      }
      responses: {
        '200': string
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
      row: ClosingLine | ClosingPerson | ClosingWeek
    }
  }
  '/api/v2/incidents/closings/:id/cancel': {
    $post: {
      input: {
        param: {
          id: number
        }
        json: CancelBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Closing
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/company': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Company
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $put: {
      input: {
        json: CompanyBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: CompanyName
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': CompanyConflict
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/company/zones': {
    $post: {
      input: {
        json: ZoneBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ChangedZones
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/company/shifts': {
    $post: {
      input: {
        json: ShiftBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ChangedShifts
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/corrections': {
    $get: {
      input: {
        param: {
          serial: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockCorrections
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $post: {
      input: {
        param: {
          serial: string
        }
        json: CorrectionBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClockCorrection
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/clocks/:serial/corrections/:id/undo': {
    $post: {
      input: {
        param: {
          serial: string
          id: number
        }
        json: CorrectionUndoBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: UndoneCorrection
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_days': {
    $get: {
      input: {
        query?: {
          from?: string
          to?: string
          limit?: number
          after?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: OwnDays
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_closings': {
    $get: {
      input: {
        query?: {
          limit?: number
          after?: number
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: OwnClosings
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_closings/:id': {
    $get: {
      input: {
        param: {
          id: number
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: OwnClosingLines
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/my_closings/:id/sign': {
    $post: {
      input: {
        param: {
          id: number
        }
        json: SignatureBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Signature
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/objections': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ObjectionList
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/closings/:id/signatures': {
    $get: {
      input: {
        param: {
          id: number
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: ClosingSignatures
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/incidents/closings/:id/objections/:employee_id/answer': {
    $post: {
      input: {
        param: {
          id: number
          employee_id: string
        }
        json: AnswerBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Answer
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/agreements': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: AgreementList
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
    $post: {
      input: {
        json: AgreementBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: PublishedAgreement
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/agreements/current': {
    $get: {
      input: {}
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: CurrentAgreement
        }
        '400': Failure
        '401': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/agreements/:id/accept': {
    $post: {
      input: {
        param: {
          id: number
        }
        json: AcceptBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Acceptance
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/agreements/:id/paper': {
    $post: {
      input: {
        param: {
          id: number
        }
        json: PaperBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: Acceptance
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/agreements/:id/paper/void': {
    $post: {
      input: {
        param: {
          id: number
        }
        json: VoidPaperBody
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: null
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '409': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/agreements/:id/people': {
    $get: {
      input: {
        param: {
          id: number
        }
        query?: {
          agreed?: 'true' | 'false'
          branch_office?: string
          limit?: number
          cursor?: string
        }
      }
      responses: {
        '200': {
          success: true
          /**
           * Texto para personas, en español.
           */
          message: string
          data: AgreementPeople
        }
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/audit/checkpoint': {
    $get: {
      input: {}
      responses: {
        '200': string
        '400': Failure
        '401': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
  '/api/v2/audit/evidence': {
    $get: {
      input: {
        query?: {
          employee_id?: string
          log_id?: number
          branch_office?: string
          from?: string
          to?: string
          comments?: boolean
          cursor?: string
        }
      }
      responses: {
        '200': string
        '400': Failure
        '401': Failure
        '403': Failure
        '404': Failure
        '405': Failure
        '408': Failure
        '413': Failure
        '422': InvalidInput
        '429': Failure
        '500': Failure
        '502': Failure
        '503': Failure
        '507': Failure
      }
    }
  }
}
export interface LoginBody {
  email: string
  password: string
}
export interface SignedIn {
  user: Account
  token: string
  token_type: 'Bearer'
}
export interface Account {
  id: number
  email: string
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  /**
   * 1 = activo.
   */
  active: number
}
/**
 * Una negativa o un error.
 */
export interface ContractFailure {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
}
/**
 * Datos no válidos, con todos los campos que fallan.
 */
export interface ContractInvalidInput {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * Frases por campo.
   */
  errors: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
}
export interface CurrentUser {
  user: User
  employee: Employee | null
}
export interface User {
  id: number
  email: string
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  /**
   * 1 = activo.
   */
  active: number
  external: number
  type_user: string
  status_user: string
}
export interface Employee {
  employee_id: string
  full_name: string
  rfc: string
  phone: string
  cellphone: string
  started_at: string
  job_position: string
  department: string
  branch_office: string
  /**
   * Ruta del archivo, relativa a `/files/`.
   */
  profile_image: string
}
/**
 * Solo el mensaje, sin `success` ni `data`.
 */
export interface BareFailure {
  /**
   * Texto para personas, en español.
   */
  message: string
}
/**
 * Una negativa o un error.
 */
export interface Failure {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
}
/**
 * Los datos del mensaje, para programas. Un código trae siempre los mismos.
 */
export interface ErrorDetails {
  /**
   * Las checadas.
   */
  ids?: number[]
  status?: LogStatus
  closing_id?: number
  /**
   * El nombre de quien hizo el cierre.
   */
  closed_by?: string
  /**
   * El último día del cierre, o el último que cabe; null si ni uno.
   */
  until?: string | null
  employee_id?: string
  payroll_group?: string
  groups?: string[]
  /**
   * Los que nombran los ajustes.
   */
  roles?: string[]
  day?: string
  days?: number
  seconds?: number
  /**
   * Cuántas checadas.
   */
  count?: number
  /**
   * De ellas, las del periodo.
   */
  of_period?: number
  /**
   * Las de relojes que esperan.
   */
  waiting?: number
  /**
   * La hora local que no hubo.
   */
  local_time?: string
  time_zone?: string
  /**
   * La siguiente que sí hubo.
   */
  next?: string
  /**
   * Las que se registraron.
   */
  created?: number
  /**
   * Las que ya estaban.
   */
  known?: number
  /**
   * Las que no se guardaron.
   */
  left_out?: number
  days_max?: number
  people_max?: number
}
export interface PasswordChangeBody {
  current_password: string
  password: string
}
/**
 * Datos no válidos, con todos los campos que fallan.
 */
export interface InvalidInput {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * Frases por campo.
   */
  errors: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
}
export interface FoundEmployees {
  /**
   * @maxItems 20
   */
  employees: FoundEmployee[]
}
export interface FoundEmployee {
  employee_id: string
  full_name: string
  department: string
  branch_office: string
  /**
   * El último día de trabajo, o null.
   */
  ended_at: string | null
}
export interface EmployeePage {
  employees: EmployeeRecord[]
  next_cursor: string | null
}
export interface EmployeeRecord {
  employee_id: string
  full_name: string
  rfc: string
  phone: string
  cellphone: string
  started_at: string
  job_position: string
  department: string
  branch_office: string
  profile_image: string
  /**
   * El grupo de nómina; vacío, el General.
   */
  payroll_group: string
  /**
   * El último día de trabajo, o null.
   */
  ended_at: string | null
  /**
   * El primer día que se le paga aquí, en vez del de su grupo y del de ingreso. Casi siempre null.
   */
  paid_from: string | null
  /**
   * Se envía de vuelta como `expected_version`.
   */
  version: number
  /**
   * El usuario vinculado, o null.
   */
  user: LinkedUser | null
}
export interface LinkedUser {
  id: number
  email: string
  role: string
  /**
   * 1 = activo.
   */
  active: number
}
export interface BulkEmployeesBody {
  /**
   * @minItems 1
   * @maxItems 500
   */
  employees: {
    employee_id: string
    full_name: string
    rfc: string
    phone: string
    cellphone: string
    started_at: string
    job_position: string
    department: string
    branch_office: string
    profile_image: string
    payroll_group: string
    ended_at: null | string
    paid_from?: null | string
    expected_version: number
    deactivate_user?: boolean | null
  }[]
  dry_run?: boolean | null
}
export interface BulkResults {
  results: BulkResult[]
}
export interface BulkResult {
  employee_id: string
  result: 'new' | 'changed' | 'same'
  /**
   * Los campos que cambian.
   */
  fields: string[]
  version: number
  /**
   * Lo que conviene confirmar, por campo. No impide guardar.
   */
  warnings: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
  /**
   * Para programas, lo mismo que `warnings`, en su orden.
   */
  warning_codes: {
    /**
     * @minItems 1
     */
    [k: string]: WarningCode[]
  }
}
export interface WarningCode {
  code:
    | 'ID_NEAR'
    | 'PUNCHES_WAIT'
    | 'RFC_SHARED'
    | 'BRANCH_BLANK'
    | 'BRANCH_UNUSED'
    | 'DEPARTMENT_UNUSED'
    | 'CLOCK_BEHIND'
    | 'SCOPE_STAYS'
    | 'NAME_BLANK'
    | 'ENDED_BEFORE_START'
    | 'DAY_TOO_OLD'
    | 'DAYS_BEFORE_START'
    | 'UNPAID_DAYS'
  /**
   * El dato del texto, o el valor del campo.
   */
  value: string
}
/**
 * El registro cambió (`current`, si se puede ver), el número ya existe, o hay días pagados después del último día.
 */
export interface EmployeeConflict {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
  /**
   * Frases por campo.
   */
  errors?: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
  current?: EmployeeRecord
}
export interface SavedEmployee {
  employee: EmployeeRecord
  /**
   * Lo que conviene confirmar, por campo. No impide guardar.
   */
  warnings: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
  /**
   * Para programas, lo mismo que `warnings`, en su orden.
   */
  warning_codes: {
    /**
     * @minItems 1
     */
    [k: string]: WarningCode[]
  }
}
export interface EmployeeBody {
  full_name: string
  rfc: string
  phone: string
  cellphone: string
  started_at: string
  job_position: string
  department: string
  branch_office: string
  profile_image: string
  payroll_group: string
  ended_at: null | string
  paid_from?: null | string
  expected_version: number
  deactivate_user?: boolean | null
}
export interface PeopleChanges {
  changes: PeopleChange[]
  next_after: number
}
export interface PeopleChange {
  id: number
  at: string
  /**
   * Null: un comando de quien opera.
   */
  user: NamedUser | null
  /**
   * El que se pidió.
   */
  subject: string
  subject_id: string
  /**
   * Vacío cuando se olvidó a la persona.
   */
  changes: FieldChange[]
}
export interface NamedUser {
  id: number
  full_name: string
}
export interface FieldChange {
  field: string
  before: string | number | boolean | string[] | null
  after: string | number | boolean | string[] | null
}
export interface UserPage {
  users: UserRecord[]
  next_cursor: string | null
}
export interface UserRecord {
  id: number
  email: string
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  /**
   * 1 = activo.
   */
  active: number
  /**
   * Un programa: tiene token y no contraseña.
   */
  machine: boolean
  employee_id: string | null
  /**
   * Las sucursales que ve; null: todas.
   */
  scope_branches: string[] | null
  /**
   * Los orígenes que puede enviar; null: cualquiera.
   */
  sources: string[] | null
  has_password: boolean
  /**
   * De quién era el enlace con que se puso la contraseña.
   */
  password_through: {
    id: number
    full_name: string
  } | null
  /**
   * Hasta cuándo sirve su enlace; null si no tiene uno vigente.
   */
  invitation_expires_at: string | null
  /**
   * Se envía de vuelta como `expected_version`.
   */
  version: number
}
export interface CreateUserBody {
  email: string
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  machine?: boolean | null
  employee_id?: null | string
  scope_branches?: null | string[]
  sources?: null | string[]
}
export interface CreatedUser {
  user: UserRecord
  /**
   * Null para una máquina.
   */
  invitation: InvitationLink | null
}
export interface InvitationLink {
  url: string
  expires_at: string
}
/**
 * El usuario cambió (`current`), el correo o la persona ya tienen otro, o es la última que administra.
 */
export interface UserConflict {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
  /**
   * Frases por campo.
   */
  errors?: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
  current?: UserRecord
}
export interface OneUser {
  user: UserRecord
}
export interface UserBody {
  email?: string | null
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  active: 0 | 1
  machine: boolean
  employee_id: null | string
  scope_branches: null | string[]
  sources: null | string[]
  expected_version: number
}
export interface SavedUser {
  user: UserRecord
  /**
   * La contraseña se borró, y hace falta un enlace nuevo: puede más que antes.
   */
  password_cleared: boolean
}
export interface MachineToken {
  token: string
  token_type: 'Bearer'
}
export interface InvitationsBody {
  /**
   * @minItems 1
   * @maxItems 100
   */
  employee_ids: string[]
}
export interface EmployeeInvitations {
  invitations: EmployeeInvitation[]
}
export interface EmployeeInvitation {
  employee_id: string
  email: string
  url: string
  expires_at: string
}
export interface InvitationCheckBody {
  token: string
}
export interface InvitedUser {
  full_name: string
  email: string
  expires_at: string
}
export interface InvitationBody {
  token: string
  password: string
}
export interface Module {
  id: number
  name: string
  description: string
  /**
   * Clase del icono.
   */
  icon: string
  enabled: boolean
  enabled_app: true
}
export interface EntryCodeBody {
  code: string
}
export interface ActiveClient {
  id: number
  code: string
  name: string
  /**
   * Tal como está guardado: "activo", en mayúsculas o minúsculas.
   */
  status: string
  /**
   * El origen al que la app hace todas las llamadas que siguen, sin `/api`.
   */
  url_base: string
}
/**
 * Mensaje y errores, sin `success` ni `data`.
 */
export interface BareInvalidInput {
  /**
   * Texto para personas, en español.
   */
  message: string
  /**
   * Frases por campo.
   */
  errors: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
}
export interface ConfigEntry {
  key: string
  /**
   * Qué es, como "archivo"; lo dice la instalación.
   */
  tipo: string
  /**
   * Para mostrarlo.
   */
  nombre: string
  /**
   * El texto guardado; la ruta de un archivo es relativa a `/files/`.
   */
  valor: string
}
export interface InstallationSettings {
  time_zone: string
  /**
   * Los estados cuya decisión lleva comentario.
   */
  require_comment: LogStatus1[]
  /**
   * Nadie decide checadas propias ni las que agregó.
   */
  forbid_self_approval: boolean
  /**
   * Si las personas usan su propia app, donde leen los comentarios.
   */
  employee_clock_in: boolean
  /**
   * Si las personas solicitan las checadas que les faltan.
   */
  employee_requests: boolean
  /**
   * Si hay evidencia que descargar.
   */
  seals: boolean
  /**
   * Cuánto dura la jornada más larga de quien no tiene una regla propia.
   */
  max_shift_hours: number
  /**
   * Las sucursales que ve, con su zona de ahora.
   */
  branches: SettingsBranch[]
  /**
   * Sus zonas, con sus diferencias con UTC y desde cuándo rigen, seis años antes y después: los datos de zonas de un navegador pueden ser otros.
   */
  zones: SettingsZone[]
  /**
   * Los grupos de nómina de quienes ve; vacío: hay quienes no tienen.
   */
  payroll_groups: string[]
  user: SettingsUser
  /**
   * Los roles que puede tener un usuario, y lo que puede quien ve todas las sucursales (`can`) o solo algunas (`can_in_scope`); null si no cambia usuarios.
   */
  roles: SettingsRole[] | null
  /**
   * Los que puede tener una máquina; null si no cambia usuarios.
   */
  machine_roles: string[] | null
}
export interface SettingsBranch {
  branch_office: string
  time_zone: string
}
export interface SettingsZone {
  time_zone: string
  utc_offsets: UtcOffset[]
}
export interface UtcOffset {
  from: string
  seconds: number
}
export interface SettingsUser {
  id: number
  full_name: string
  employee_id: string | null
  /**
   * Las sucursales que ve y decide; nulo: todas.
   */
  scope_branches: string[] | null
  /**
   * Decidir checadas; pagar (con todas las sucursales, cerrar periodos); ver checadas y horas; llevar empleados; llevar usuarios; enviar checadas; ver los acuerdos.
   */
  can: (
    'decide' | 'pay' | 'read_hours' | 'keep_people' | 'keep_users' | 'send_logs' | 'read_agreements'
  )[]
}
export interface SettingsRole {
  role: string
  /**
   * Decidir checadas; pagar (con todas las sucursales, cerrar periodos); ver checadas y horas; llevar empleados; llevar usuarios; enviar checadas; ver los acuerdos.
   */
  can: (
    'decide' | 'pay' | 'read_hours' | 'keep_people' | 'keep_users' | 'send_logs' | 'read_agreements'
  )[]
  /**
   * Decidir checadas; pagar (con todas las sucursales, cerrar periodos); ver checadas y horas; llevar empleados; llevar usuarios; enviar checadas; ver los acuerdos.
   */
  can_in_scope: (
    'decide' | 'pay' | 'read_hours' | 'keep_people' | 'keep_users' | 'send_logs' | 'read_agreements'
  )[]
}
export interface Health {
  /**
   * La del servicio, como 2.0.0.
   */
  version: string
  /**
   * Hasta qué versión de los datos de zonas horarias conoce los cambios probados, como 2026b; nulo si ninguno.
   */
  zone_data: string | null
  database_bytes: number
  limit_bytes: number
  /**
   * Hasta que se llene, al ritmo de los últimos 28 días; nulo si aún no se sabe.
   */
  days_left: number | null
  /**
   * Desde el 80 % del límite; nulo antes. Desde el 97 % no se reciben checadas, personas ni firmas.
   */
  warning: string | null
  /**
   * El mismo aviso, para programas; nulo si no lo hay.
   */
  warning_code: ('DATABASE_ALMOST_FULL' | 'DATABASE_FULL') | null
  /**
   * Desde que llegó la checada más reciente; nulo si no hay ninguna.
   */
  newest_log_age_seconds: number | null
  /**
   * Desde el sello más reciente; nulo si no hay ninguno.
   */
  newest_seal_age_seconds: number | null
  /**
   * Del evento más antiguo que espera un sello; nulo si no hay.
   */
  oldest_unsealed_age_seconds: number | null
  unsealed_events: number
  /**
   * Desde la última señal de algún reloj; nulo si no hay ninguno.
   */
  newest_clock_age_seconds: number | null
  clocks: number
  /**
   * Sin señal desde hace 24 horas.
   */
  silent_clocks: number
  notices?: Notices
  push?: Push
}
/**
 * Solo con NOTIFY_URL.
 */
export interface Notices {
  /**
   * Decisiones que el receptor aún no tiene, entre los 1000 eventos siguientes.
   */
  waiting: number
  /**
   * Desde la más antigua de ellas.
   */
  waiting_seconds: number
  /**
   * Intentos fallidos del mismo mensaje.
   */
  failures: number
  /**
   * Por qué falló el último, como HTTP 410.
   */
  error: string | null
  next_try_at: string | null
  sent_at: string | null
}
/**
 * Solo con VAPID_KEY.
 */
export interface Push {
  /**
   * Los teléfonos que reciben avisos.
   */
  phones: number
  /**
   * Los que tienen un aviso por enviar.
   */
  waiting: number
  sent_at: string | null
  /**
   * Por qué no se aceptó el último, como HTTP 403; nulo si se aceptó.
   */
  error: string | null
}
export interface StatusChangeBody {
  log_id: number
  status: LogStatus1
  comment?: string | null
  expected_status?: LogStatus1 | null
}
export interface ChangedLog {
  log_id: number
  status: LogStatus1
}
export interface BulkStatusChangeBody {
  /**
   * @minItems 1
   * @maxItems 100
   */
  log_ids: number[]
  status: LogStatus1
  comment?: string | null
  expected_status?: LogStatus1 | null
}
/**
 * Los registros que ya cambiaron, como `log_ids.3`.
 */
export interface MovedLogs {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * Frases por campo.
   */
  errors?: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
}
export interface LogPage {
  logs: LogRow[]
  /**
   * Nulo en la última página.
   */
  next_cursor: string | null
}
export interface LogRow {
  log_id: number
  status: LogStatus1
  kind: LogKind
  /**
   * UTC con milisegundos.
   */
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
  /**
   * Cuándo llegó al servicio.
   */
  received_at: string
  /**
   * Quién la envió; vacío si se importó.
   */
  source: string
  /**
   * Lo que escribió la persona que solicitó la checada; nulo en las demás.
   */
  request_comment: string | null
  employee: LogEmployee
  /**
   * Cuántos comentarios tiene.
   */
  comments: number
  /**
   * Si llegó desde otra dirección mientras su reloj llamaba desde la suya.
   */
  other_network: boolean
  /**
   * Si es de quien pregunta, o la agregó, o es de un reloj o número suyo que nadie más ha confirmado: con `forbid_self_approval` no puede decidirla, y nunca si la solicitó (su origen empieza con `request:`).
   */
  own: boolean
  /**
   * Si un cierre ya tomó sus días: lo que se decida de ella lo paga o descuenta el próximo.
   */
  closed: boolean
  /**
   * Si un cierre la pagó: solo la decide quien también paga, con un comentario.
   */
  locked: boolean
  /**
   * Con `nearby=true`: las otras checadas de la persona, de 25 horas antes a 25 después.
   */
  nearby?: NearbyLog[]
}
export interface LogEmployee {
  employee_id: string
  full_name: string
  department: string
  branch_office: string
}
export interface NearbyLog {
  log_id: number
  status: LogStatus1
  kind: LogKind
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
}
export interface IntakeBody {
  source: string
  complete_until?: string | null
  logs?: IntakeItem[] | null
}
export interface IntakeItem {
  source_id?: string | null
  log_id?: number | null
  employee_id: string
  kind: LogKind
  recorded_at: string
}
export interface IntakeResult {
  /**
   * Nulo si se rechazó.
   */
  log_id: number | null
  result: 'created' | 'known' | 'differs' | 'refused'
  reason?: 'unknown_employee' | 'other_branch' | 'future' | 'too_old' | 'invalid'
  /**
   * Más sobre el motivo, si lo hay. `forbidden_id`: quien solo puede enviar algunos orígenes o sucursales no puede enviar `log_id`. `ended`: el día es posterior al último día de trabajo de la persona. `clock`: el teléfono no está en hora. `near:` y el número que trae `near`. De `invalid`, el primer campo equivocado, como `recorded_at`. Habrá otros.
   */
  detail?: string
  /**
   * El número de una persona, al que se parece el de la persona desconocida.
   */
  near?: string
}
export interface LogSummary {
  total: StatusCounts
  branches: BranchCounts[]
}
export interface StatusCounts {
  pending: number
  approved: number
  rejected: number
}
export interface BranchCounts {
  branch_office: string
  department: string
  pending: number
  approved: number
  rejected: number
}
export interface LogDetail {
  log_id: number
  status: LogStatus1
  kind: LogKind
  /**
   * UTC con milisegundos.
   */
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
  /**
   * Cuándo llegó al servicio.
   */
  received_at: string
  /**
   * Quién la envió; vacío si se importó.
   */
  source: string
  /**
   * Lo que escribió la persona que solicitó la checada; nulo en las demás.
   */
  request_comment: string | null
  employee: LogEmployee
  /**
   * Cuántos comentarios tiene.
   */
  comments: number
  /**
   * Si llegó desde otra dirección mientras su reloj llamaba desde la suya.
   */
  other_network: boolean
  /**
   * Si es de quien pregunta, o la agregó, o es de un reloj o número suyo que nadie más ha confirmado: con `forbid_self_approval` no puede decidirla, y nunca si la solicitó (su origen empieza con `request:`).
   */
  own: boolean
  /**
   * Si un cierre ya tomó sus días: lo que se decida de ella lo paga o descuenta el próximo.
   */
  closed: boolean
  /**
   * Si un cierre la pagó: solo la decide quien también paga, con un comentario.
   */
  locked: boolean
  history: LogEvent[]
  /**
   * Nulo en la última página.
   */
  next_cursor: string | null
}
export interface LogEvent {
  event: LogEventKind
  /**
   * Nulo cuando se registra.
   */
  from_status: LogStatus1 | null
  to_status: LogStatus1
  created_at: string
  /**
   * Nulo si la importó quien opera el servicio.
   */
  user: NamedUser | null
  comment: string | null
}
export interface ExportedLog {
  log_id: number
  employee_id: string
  full_name: string
  department: string
  branch_office: string
  kind: LogKind
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
  received_at: string
  source: string
  status: LogStatus1
  decided_at: string | null
  /**
   * El nombre de quien decidió.
   */
  decided_by: string | null
  /**
   * El de la última decisión.
   */
  comment: string | null
  /**
   * Lo que escribió la persona que solicitó la checada; nulo en las demás.
   */
  request_comment: string | null
}
export interface LogSource {
  source: string
  /**
   * Cómo le dicen las personas; nulo si nadie lo dijo.
   */
  label: string | null
  complete_until: string | null
  last_seen_at: string
  /**
   * En la hora de la sucursal de un reloj que se conecta solo; si no, de la empresa.
   */
  complete_until_local_at: string | null
  last_seen_local_at: string
  /**
   * Cuántos problemas siguen abiertos; se cuentan 1,000 a lo más.
   */
  problem_count: number
  problems: IntakeProblem[]
}
export interface IntakeProblem {
  id: number
  result: 'created' | 'differs' | 'refused'
  /**
   * `otra_zona` (con `created`): las checadas se guardaron, pero llegaron con una diferencia horaria que su sucursal no tiene en ese momento. Es uno por persona y desaparece con la primera checada que sí la tiene. De un reloj que se conecta solo: `otra_red`, llamaron desde otra dirección mientras él llamaba desde la suya; `too_large`, envía demasiado a la vez; `too_many_waiting`, más de 10,000 de sus checadas esperan. Con estos dos, el reloj conserva lo que no se guardó. `otra_red` con `refused`: de otra dirección llegaron de esa persona (o sin ella) más checadas de un día de las que se guardan; `count` dice cuántas no se guardaron y `detail` la primera y la última. De `otra_red` con `created`, `detail` es la otra dirección; de `invalid`, lo que no se pudo leer.
   */
  reason:
    | (
        | 'unknown_employee'
        | 'other_branch'
        | 'future'
        | 'too_old'
        | 'invalid'
        | 'otra_zona'
        | 'otra_red'
        | 'too_large'
        | 'too_many_waiting'
      )
    | null
  /**
   * Como el `detail` del resultado.
   */
  detail: string | null
  /**
   * Como el `near` del resultado; nulo si no hay.
   */
  near: string | null
  employee_id: string
  source_id: string
  first_at: string
  last_at: string
  count: number
}
export interface SourceBody {
  label: null | string
  retired: boolean
}
export interface SavedSource {
  source: string
  /**
   * Cómo le dicen las personas; nulo si nadie lo dijo.
   */
  label: string | null
  complete_until: string | null
  last_seen_at: string
  retired: boolean
}
export interface DismissalBody {
  reason: string
}
export interface ChangePage {
  changes: LogChange[]
  next_after: number
  is_limited: boolean
}
export interface LogChange {
  id: number
  event: LogEventKind
  log_id: number
  source: string
  source_id: string | null
  employee_id: string
  kind: LogKind
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
  /**
   * Si llegó desde otra dirección mientras su reloj llamaba desde la suya.
   */
  other_network: boolean
  from_status: LogStatus1 | null
  to_status: LogStatus1
  comment: string | null
  user: NamedUser | null
  created_at: string
}
export interface OwnLogs {
  logs: OwnLog[]
  /**
   * Si aquí se checa desde la app propia.
   */
  may_check_in: boolean
  /**
   * Si aquí se solicitan checadas que faltan.
   */
  may_request: boolean
  /**
   * La hora de la checada más antigua que se puede solicitar.
   */
  requests_since: string
  /**
   * La llave pública (`applicationServerKey`) con la que el navegador se suscribe a los avisos; nula si aquí no los hay.
   */
  push_key: string | null
  /**
   * La hora del servicio: con ella, una app sabe cuándo se checó aunque su teléfono no esté en hora.
   */
  now: string
}
export interface OwnLog {
  log_id: number
  status: LogStatus1
  kind: LogKind
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
  received_at: string
  decided_at: string | null
  comment: string | null
  /**
   * Lo que escribió la persona que solicitó la checada; nulo en las demás.
   */
  request_comment: string | null
}
export interface OwnLogBody {
  client_id: string
  kind: 'entrada' | 'salida'
  recorded_at?: string | null
  sent_at?: string | null
}
export interface OwnLogResult {
  /**
   * Nulo si se rechazó.
   */
  log_id: number | null
  result: 'created' | 'known' | 'differs' | 'refused'
  reason?: 'unknown_employee' | 'other_branch' | 'future' | 'too_old' | 'invalid'
  /**
   * Más sobre el motivo, si lo hay. `forbidden_id`: quien solo puede enviar algunos orígenes o sucursales no puede enviar `log_id`. `ended`: el día es posterior al último día de trabajo de la persona. `clock`: el teléfono no está en hora. `near:` y el número que trae `near`. De `invalid`, el primer campo equivocado, como `recorded_at`. Habrá otros.
   */
  detail?: string
  /**
   * El número de una persona, al que se parece el de la persona desconocida.
   */
  near?: string
  /**
   * El que se envió, en minúsculas.
   */
  client_id: string
}
export interface RequestBody {
  client_id: string
  kind: 'entrada' | 'salida'
  recorded_at?: string | null
  local_time?: string | null
  branch_office?: string | null
  second?: boolean | null
  comment: string
}
export interface AddedLog {
  /**
   * Nulo si se rechazó.
   */
  log_id: number | null
  result: 'created' | 'known' | 'differs' | 'refused'
  reason?: 'unknown_employee' | 'other_branch' | 'future' | 'too_old' | 'invalid'
  /**
   * Más sobre el motivo, si lo hay. `forbidden_id`: quien solo puede enviar algunos orígenes o sucursales no puede enviar `log_id`. `ended`: el día es posterior al último día de trabajo de la persona. `clock`: el teléfono no está en hora. `near:` y el número que trae `near`. De `invalid`, el primer campo equivocado, como `recorded_at`. Habrá otros.
   */
  detail?: string
  /**
   * El número de una persona, al que se parece el de la persona desconocida.
   */
  near?: string
  /**
   * La hora que se guardó, o la de la conocida.
   */
  recorded_at: string
  /**
   * La misma hora en la zona de la sucursal, con su diferencia con UTC.
   */
  local_at: string
  /**
   * El día local de la checada, en su sucursal.
   */
  day: string
  /**
   * Vacía si no hay nada que decir.
   */
  warnings: LocalTimeTwice[]
}
export interface LocalTimeTwice {
  code: 'LOCAL_TIME_TWICE'
  message: string
  details: {
    /**
     * La primera y la segunda.
     */
    instants: string[]
  }
}
export interface ManualLogBody {
  client_id: string
  employee_id: string
  kind: LogKind
  recorded_at?: string | null
  local_time?: string | null
  branch_office?: string | null
  second?: boolean | null
  comment: string
}
export interface PushBody {
  endpoint: string
  keys: {
    p256dh: string
    auth: string
  }
}
export interface PushEndpointBody {
  endpoint: string
}
export interface ClockList {
  clocks: Clock[]
  unknown: UnknownClock[]
  waiting: WaitingPunches[]
}
export interface Clock {
  /**
   * El número de serie, como en su etiqueta.
   */
  serial: string
  label: string | null
  /**
   * Sus checadas llevan la hora de esta sucursal.
   */
  branch_office: string
  /**
   * Si las personas oprimen entrada o salida; si no, toda checada es `checada`.
   */
  uses_keys: boolean
  /**
   * Las checadas de días anteriores no se guardan.
   */
  from_day: string
  retired: boolean
  /**
   * Se envía de vuelta como `expected_version`.
   */
  version: number
  /**
   * Nulo si nunca ha llamado.
   */
  last_seen_at: string | null
  /**
   * La dirección desde la que llama, o la que alguien dijo que es suya.
   */
  address: string | null
  /**
   * Segundos que va adelantado; nulo si no se ha medido.
   */
  seconds_off: number | null
  /**
   * Hasta cuándo ha enviado todo; nulo si no se sabe.
   */
  complete_until: string | null
  /**
   * Si todavía envía lo que tiene desde su primer día: no se sabe qué falta.
   */
  receiving: boolean
  last_seen_local_at: string | null
  complete_until_local_at: string | null
  /**
   * La zona de su sucursal, si no es la de la empresa.
   */
  time_zone: string | null
  /**
   * El nombre de quien lo agregó; nulo en los de la versión 2.0.
   */
  added_by: string | null
  /**
   * El nombre de quien lo confirmó.
   */
  confirmed_by: string | null
  /**
   * Si falta que lo confirme alguien que no lo agregó ni lo cambió de sucursal. Hasta entonces, sus checadas cuentan como registradas por quien lo hizo.
   */
  unconfirmed: boolean
  /**
   * De cuántos números falta que lo confirme alguien que no los nombró.
   */
  unconfirmed_numbers: number
  /**
   * Si quien pregunta puede confirmar algo de ello.
   */
  may_confirm: boolean
}
export interface UnknownClock {
  /**
   * Sin sus últimos cuatro caracteres.
   */
  serial: string
  first_at: string
  last_at: string
  address: string
}
export interface WaitingPunches {
  /**
   * El número de serie, como en su etiqueta.
   */
  serial: string
  number: string
  /**
   * `number`: no se sabe de quién es. `branch`: esa persona es de otra sucursal. `own`: son de quien subió el archivo. `future` y `too_old`: al llegar, su hora estaba en el futuro o tenía más de 45 días. `time`: esa hora no existe, o el reloj perdió la fecha.
   */
  reason: 'number' | 'branch' | 'own' | 'future' | 'too_old' | 'time'
  /**
   * Si esperan porque esa persona ya tenía 50 checadas ese día en el reloj. Su `reason` es entonces `time`, y se descartan con `over_bound`.
   */
  over_bound: boolean
  count: number
  first_at: string
  last_at: string
  /**
   * En la hora de la sucursal del reloj.
   */
  first_local_at: string
  /**
   * En la hora de la sucursal del reloj.
   */
  last_local_at: string
}
export interface ClockBody {
  label: null | string
  branch_office: string
  uses_keys: boolean
  from_day: string
  retired: boolean
  expected_version: number
  has_not_called?: boolean | null
}
/**
 * El reloj cambió (`current`), o ninguno ha llamado con ese número de serie.
 */
export interface ClockConflict {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
  current?: Clock
}
export interface WaitingBody {
  serial: string
  number?: string | null
  all_numbers?: boolean | null
  employee_id?: string | null
  all_clocks?: boolean | null
  only_these?: boolean | null
  dismiss?: string | null
  reason?: ('number' | 'branch' | 'own' | 'future' | 'too_old' | 'time' | 'over_bound') | null
}
export interface WaitingResult {
  taken: number
  dismissed: number
}
export interface ClockNumbers {
  numbers: ClockNumber[]
}
export interface ClockNumber {
  number: string
  all_clocks: boolean
  /**
   * Si alguien lo dijo; si no, se parece al empleado.
   */
  is_named: boolean
  /**
   * Null si siempre.
   */
  valid_from: string | null
  employee_id: string
  full_name: string
}
export interface ClockDaysOff {
  days_off: ClockDayOff[]
}
export interface ClockDayOff {
  day: string
  /**
   * Cuánto más tarde; negativo si más temprano.
   */
  minutes: number
  people: number
  /**
   * De cuántas personas con costumbre conocida.
   */
  of: number
}
export interface NumberCandidates {
  candidates: NumberCandidate[]
}
export interface NumberCandidate {
  employee_id: string
  full_name: string
  branch_office: string
  why: 'same' | 'one_digit' | 'clock'
}
export interface ClockFileBody {
  text: string
}
export interface ClockFileResult {
  created: number
  known: number
  waiting: number
  before_from_day: number
  invalid: number
}
export interface ClockAddressBody {
  address: string
}
export interface ClockRejectionBody {
  from: string
  to: string
  elsewhere?: boolean | null
  comment: string
}
export interface ClockRejection {
  rejected: number
  left: number
}
export interface HoursDay {
  employee_id: string
  full_name: string
  department: string
  branch_office: string
  payroll_group: string
  /**
   * El día local de la entrada.
   */
  day: string
  weekday: string
  /**
   * Hora local: 2026-11-09 08:00:00.
   */
  first_in: string | null
  last_out: string | null
  /**
   * Cuántos pares de entrada y salida cuentan.
   */
  pairs: number
  /**
   * Nulo, nunca cero, si ningún par cuenta.
   */
  worked_seconds: number | null
  /**
   * `worked_seconds` en horas, con dos decimales.
   */
  worked_hours: number | null
  /**
   * Los pares del día: 08:00–13:00 14:00–17:00.
   */
  detail: string
  /**
   * Lo que alguien debe corregir. De un día que no termina todavía no dice `pendientes`, `sin_sincronizar` ni `semana_sobre_limite`.
   */
  exceptions: HoursException[]
  /**
   * Lo que conviene saber.
   */
  notices: HoursNotice[]
  /**
   * Lo que los cierres pagaron por el día.
   */
  paid_seconds: number | null
  /**
   * El más reciente de esos cierres.
   */
  closing_id: number | null
  /**
   * Quién revisó el día; en CSV, su nombre.
   */
  reviewed: DayReview | null
  /**
   * El nombre del descanso obligatorio (LFT 74), si el día es uno.
   */
  holiday: string | null
  /**
   * Lo que `worked_seconds` crecería si se aprobara todo lo pendiente; negativo si bajaría. 0 con `preview=true`, que ya lo cuenta.
   */
  pending_seconds: number
  /**
   * `paid_seconds` en horas, con dos decimales.
   */
  paid_hours: number | null
  /**
   * `pending_seconds` en horas, con dos decimales.
   */
  pending_hours: number
  /**
   * Las checadas del día que no se rechazaron.
   */
  log_ids: number[]
  /**
   * Lo que escribió la persona al solicitar checadas del día.
   */
  request_comments: string[]
  /**
   * La hora local de la entrada, si la persona está en su turno ahora. Entonces no falta la salida.
   */
  working_since: string | null
  /**
   * Si cuatro o más checadas seguidas, una al día y a la misma hora, pueden ser guardias de 24 h, que la jornada más larga no empareja.
   */
  maybe_long_shift: boolean
  /**
   * Los pares del día, y las entradas y salidas que no tienen par, de todas las checadas que no se rechazaron: no dependen de `preview`.
   */
  spans: Span[]
  /**
   * Checadas a lo más a una hora de otra: sin una de ellas, cualquiera, el día queda completo. Una pudo ser de un día anterior. De las agregadas o solicitadas, ninguna si hay otra.
   */
  extra_log_ids: number[]
}
export interface DayReview {
  user: NamedUser
  at: string
  comment: string | null
}
export interface Span {
  /**
   * La hora local de la entrada, sin zona: 2026-11-02T08:58:12. Nula si falta.
   */
  from: string | null
  /**
   * La de la salida.
   */
  to: string | null
  /**
   * Su checada. Nula si falta, o si es de una sucursal que no ves.
   */
  from_log_id: number | null
  to_log_id: number | null
  /**
   * Si alguna de las dos está pendiente.
   */
  pending: boolean
  /**
   * El día en el que probablemente está la que falta; nulo si no falta.
   */
  shift_day: string | null
}
export interface HoursTotal {
  employee_id: string
  full_name: string
  department: string
  branch_office: string
  payroll_group: string
  days: number
  /**
   * Cuántos pares de entrada y salida cuentan.
   */
  pairs: number
  /**
   * Nulo, nunca cero, si ningún par cuenta.
   */
  worked_seconds: number | null
  /**
   * `worked_seconds` en horas, con dos decimales.
   */
  worked_hours: number | null
  days_with_exceptions: number
  /**
   * Lo que alguien debe corregir. De un día que no termina todavía no dice `pendientes`, `sin_sincronizar` ni `semana_sobre_limite`.
   */
  exceptions: HoursException[]
  /**
   * Lo que conviene saber.
   */
  notices: HoursNotice[]
  /**
   * La parte de `worked_seconds` en domingo, por el día de la entrada.
   */
  sunday_seconds: number | null
  /**
   * La parte de `worked_seconds` en descanso obligatorio; un domingo puede serlo.
   */
  holiday_seconds: number | null
  /**
   * Lo que `worked_seconds` crecería si se aprobara todo lo pendiente; negativo si bajaría. 0 con `preview=true`, que ya lo cuenta.
   */
  pending_seconds: number
  /**
   * `sunday_seconds` en horas, con dos decimales.
   */
  sunday_hours: number | null
  /**
   * `holiday_seconds` en horas, con dos decimales.
   */
  holiday_hours: number | null
  /**
   * `pending_seconds` en horas, con dos decimales.
   */
  pending_hours: number
  /**
   * Este campo y los que siguen, solo en NDJSON.
   */
  rfc: string
  started_at: string
  ended_at: string | null
  /**
   * Desde qué día del periodo falta información de un reloj de esta persona.
   */
  unsynced_from: string | null
}
export interface HoursWeek {
  employee_id: string
  full_name: string
  department: string
  branch_office: string
  payroll_group: string
  /**
   * El lunes de la semana, siempre entera.
   */
  week_from: string
  week_to: string
  days: number
  /**
   * Cuántos pares de entrada y salida cuentan.
   */
  pairs: number
  /**
   * Nulo, nunca cero, si ningún par cuenta.
   */
  worked_seconds: number | null
  /**
   * `worked_seconds` en horas, con dos decimales.
   */
  worked_hours: number | null
  days_with_exceptions: number
  /**
   * Lo que alguien debe corregir. De un día que no termina todavía no dice `pendientes`, `sin_sincronizar` ni `semana_sobre_limite`.
   */
  exceptions: HoursException[]
  /**
   * Lo que conviene saber.
   */
  notices: HoursNotice[]
  /**
   * Lo trabajado en toda la semana, en todas las sucursales.
   */
  week_seconds: number
  /**
   * El límite de la ley para la semana, por el año de su lunes.
   */
  limit_seconds: number
  /**
   * Lo que `week_seconds` pasa del límite.
   */
  over_seconds: number
  /**
   * Días de la semana con más de 12 horas en total.
   */
  shifts_over_12h: number
  /**
   * Si algo de la semana está pendiente o retenido; sus cifras aún pueden cambiar.
   */
  open: boolean
  /**
   * La parte de `worked_seconds` en domingo, por el día de la entrada.
   */
  sunday_seconds: number | null
  /**
   * La parte de `worked_seconds` en descanso obligatorio; un domingo puede serlo.
   */
  holiday_seconds: number | null
  /**
   * Lo que `worked_seconds` crecería si se aprobara todo lo pendiente; negativo si bajaría. 0 con `preview=true`, que ya lo cuenta.
   */
  pending_seconds: number
  /**
   * `week_seconds` en horas, con dos decimales.
   */
  week_hours: number
  /**
   * `limit_seconds` en horas, con dos decimales.
   */
  limit_hours: number
  /**
   * `over_seconds` en horas, con dos decimales.
   */
  over_hours: number
  /**
   * `sunday_seconds` en horas, con dos decimales.
   */
  sunday_hours: number | null
  /**
   * `holiday_seconds` en horas, con dos decimales.
   */
  holiday_hours: number | null
  /**
   * `pending_seconds` en horas, con dos decimales.
   */
  pending_hours: number
}
export interface ReviewBody {
  employee_id?: string | null
  day?: string | null
  confirm_seconds?: number | null
  approve_log_ids?: number[] | null
  days?:
    | {
        employee_id: string
        day: string
      }[]
    | null
  comment?: string | null
}
export interface ReviewedDay {
  /**
   * De varios días, el del primero.
   */
  employee_id: string
  day: string
  /**
   * Si se enviaron varios días.
   */
  days?: {
    employee_id: string
    day: string
  }[]
  /**
   * Las checadas que se aprobaron en el mismo acto.
   */
  approved_log_ids: number[]
}
export interface PayrollGroups {
  groups: PayrollGroup[]
}
export interface PayrollGroup {
  /**
   * Vacío, el grupo General.
   */
  payroll_group: string
  /**
   * Quienes están en el grupo y no se han ido.
   */
  people: number
  /**
   * Como `week monday`, `half month`, `month` o `14 days 2026-01-05`.
   */
  calendar: string
  /**
   * El primer día que este servicio le paga al grupo.
   */
  pays_from: string | null
  /**
   * Se envía de vuelta como `expected_version`.
   */
  version: number
  /**
   * El primer día que ningún cierre del grupo ha pagado.
   */
  paid_before: string | null
  next: PayPeriod
}
export interface PayPeriod {
  name: string
  from: string
  /**
   * El primer día después del periodo.
   */
  before: string
}
export interface PayrollGroupBody {
  payroll_group: string
  calendar: string
  pays_from: null | string
  expected_version: number
}
export interface SavedGroup {
  group: PayrollGroup
}
/**
 * El grupo cambió (`current`), o todavía no existe.
 */
export interface GroupConflict {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
  current?: PayrollGroup
}
export interface ClosingPage {
  closings: Closing[]
  next_cursor: string | null
}
export interface Closing {
  id: number
  /**
   * El primer día que queda abierto.
   */
  before: string
  /**
   * Vacío, el grupo General.
   */
  payroll_group: string | null
  employee_id: string | null
  /**
   * A cuántas personas toma.
   */
  people: number
  /**
   * Los días que paga por primera vez.
   */
  days: number
  /**
   * Por los días del periodo.
   */
  period_seconds: number
  /**
   * De más por días anteriores.
   */
  added_seconds: number
  /**
   * De menos por días anteriores; nunca se resta de lo demás.
   */
  deducted_seconds: number
  /**
   * Lo que se retiene mientras algo está pendiente.
   */
  held_seconds: number
  /**
   * Días del periodo con excepciones que nadie revisó; sin los que solo esperan una decisión.
   */
  exceptions_left: number
  /**
   * Checadas pendientes de estas personas.
   */
  pending: number
  pending_of_period: number
  /**
   * Relojes que no han enviado todo.
   */
  unsynced: string[]
  signed: Signatures
  /**
   * SHA-256 de sus renglones.
   */
  hash: string
  comment: string | null
  user: NamedUser
  created_at: string
  cancelled: ClosingCancellation | null
}
/**
 * Cuántas personas firmaron sus renglones.
 */
export interface Signatures {
  agreed: number
  objected: number
  /**
   * Con renglones y sin firma.
   */
  missing: number
  /**
   * De quienes faltan: no pueden firmar en la app.
   */
  without_user: number
}
export interface ClosingCancellation {
  at: string
  comment: string
  user: NamedUser
}
export interface ClosingBody {
  before: string
  payroll_group?: string | null
  employee_id?: string | null
  leave_pending?: boolean | null
  confirm_inverted?: number | null
  confirm_early?: boolean | null
  expected_seconds?: number | null
  comment?: string | null
}
/**
 * Un cierre antes de tiempo nombra el campo con que se confirma, `confirm_early`.
 */
export interface ClosingConflict {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
  /**
   * Frases por campo.
   */
  errors?: {
    /**
     * @minItems 1
     */
    [k: string]: string[]
  }
}
export interface ClosingPreview {
  id: null
  /**
   * El primer día que queda abierto.
   */
  before: string
  /**
   * Vacío, el grupo General.
   */
  payroll_group: string | null
  employee_id: string | null
  /**
   * A cuántas personas toma.
   */
  people: number
  /**
   * Los días que paga por primera vez.
   */
  days: number
  /**
   * Por los días del periodo.
   */
  period_seconds: number
  /**
   * De más por días anteriores.
   */
  added_seconds: number
  /**
   * De menos por días anteriores; nunca se resta de lo demás.
   */
  deducted_seconds: number
  /**
   * Lo que se retiene mientras algo está pendiente.
   */
  held_seconds: number
  /**
   * Días del periodo con excepciones que nadie revisó; sin los que solo esperan una decisión.
   */
  exceptions_left: number
  /**
   * Checadas pendientes de estas personas.
   */
  pending: number
  pending_of_period: number
  /**
   * Relojes que no han enviado todo.
   */
  unsynced: string[]
  signed: null
  hash: null
  comment: null
  user: null
  created_at: string
  cancelled: null
  /**
   * A quiénes se les paga aquí por primera vez, o desde un día anterior.
   */
  first_taken: FirstTaken[]
  /**
   * Quienes tienen horas anteriores a su primer día, que ningún cierre paga.
   */
  left_out: LeftOut[]
  /**
   * Los grupos sin primer día (`pays_from`). Su gente no está en las cifras.
   */
  groups_without_day: string[]
  /**
   * Días en los que quizá falta una checada y se cuenta el descanso, sin que nadie confirmara sus horas.
   */
  inverted_days: number
  /**
   * Checadas de relojes que esperan, de días anteriores a `before`: cuentan como pendientes.
   */
  waiting: number
  /**
   * Lo que se pagaría por esos días. El cierre lo recibe en `confirm_inverted`.
   */
  inverted_seconds: number
  /**
   * Si ya se pagó a todos hasta ese día, el cierre que pagó a más de ellos.
   */
  closed_already: PreviousClosing | null
}
export interface FirstTaken {
  employee_id: string
  full_name: string
  /**
   * El primer día que se le paga aquí.
   */
  first_day: string
  /**
   * El de su último cierre; null si es el primero.
   */
  was: string | null
  /**
   * Lo que se le paga, o lo que se agrega por empezar antes.
   */
  seconds: number
}
export interface LeftOut {
  employee_id: string
  full_name: string
  days: number
  /**
   * Lo trabajado en esos días.
   */
  seconds: number
  /**
   * Por qué no se pagan: son anteriores a su fecha de ingreso, o al día desde el que se le paga.
   */
  reason: 'before_start' | 'paid_from'
}
export interface PreviousClosing {
  id: number
  before: string
  user: NamedUser
  created_at: string
}
export interface ClosingLine {
  employee_id: string
  rfc: string
  full_name: string
  payroll_group: string
  ended_at: string | null
  /**
   * El día local de la entrada.
   */
  day: string
  weekday: string
  /**
   * 1 si el día es del periodo; 0 si es anterior.
   */
  of_period: number
  department: string
  branch_office: string
  first_in: string | null
  last_out: string | null
  pairs: number
  /**
   * Lo trabajado; si se retiene, lo pagado.
   */
  worked_seconds: number | null
  paid_before_seconds: number
  /**
   * Lo que este cierre paga por el día.
   */
  difference_seconds: number
  previous_closing_id: number | null
  held_seconds: number
  /**
   * La checada pendiente más antigua que lo retiene.
   */
  held_by: number | null
  detail: string
  /**
   * Separadas por espacios.
   */
  exceptions: string
  notices: string
  /**
   * El nombre del descanso obligatorio (LFT 74), si el día es uno.
   */
  holiday: string | null
  /**
   * Lo que el cierre paga por domingos, por el día de la entrada.
   */
  sunday_seconds: number
  /**
   * Lo que paga por descansos obligatorios; un domingo puede serlo.
   */
  holiday_seconds: number
  /**
   * `worked_seconds` en horas, con dos decimales.
   */
  worked_hours: number | null
  /**
   * `paid_before_seconds` en horas, con dos decimales.
   */
  paid_before_hours: number
  /**
   * `difference_seconds` en horas, con dos decimales.
   */
  difference_hours: number
  /**
   * `held_seconds` en horas, con dos decimales.
   */
  held_hours: number
  /**
   * `sunday_seconds` en horas, con dos decimales.
   */
  sunday_hours: number
  /**
   * `holiday_seconds` en horas, con dos decimales.
   */
  holiday_hours: number
  /**
   * Como en las horas. Nulo si cerró la versión 2.0.0.
   */
  spans: Span[] | null
  /**
   * Como en las horas. Nulo si cerró la versión 2.0.0.
   */
  extra_log_ids: number[] | null
}
export interface ClosingPerson {
  employee_id: string
  rfc: string
  full_name: string
  department: string
  branch_office: string
  payroll_group: string
  ended_at: string | null
  /**
   * Los días que se pagan por primera vez.
   */
  days: number
  period_seconds: number
  added_seconds: number
  deducted_seconds: number
  /**
   * Periodo más adiciones; las deducciones van aparte.
   */
  total_seconds: number
  /**
   * `total_seconds` en horas, con dos decimales.
   */
  total_hours: number
  held_seconds: number
  days_with_exceptions: number
  /**
   * Lo que alguien debe corregir. De un día que no termina todavía no dice `pendientes`, `sin_sincronizar` ni `semana_sobre_limite`.
   */
  exceptions: HoursException[]
  /**
   * El primer día del periodo; null si solo corrige días anteriores.
   */
  from_day: string | null
  /**
   * Lo que el cierre paga por domingos, por el día de la entrada.
   */
  sunday_seconds: number
  /**
   * Lo que paga por descansos obligatorios; un domingo puede serlo.
   */
  holiday_seconds: number
  /**
   * `period_seconds` en horas, con dos decimales.
   */
  period_hours: number
  /**
   * `added_seconds` en horas, con dos decimales.
   */
  added_hours: number
  /**
   * `deducted_seconds` en horas, con dos decimales.
   */
  deducted_hours: number
  /**
   * `held_seconds` en horas, con dos decimales.
   */
  held_hours: number
  /**
   * `sunday_seconds` en horas, con dos decimales.
   */
  sunday_hours: number
  /**
   * `holiday_seconds` en horas, con dos decimales.
   */
  holiday_hours: number
  /**
   * Sus checadas sin decidir cuando se hizo el cierre.
   */
  pending: number
}
export interface ClosingWeek {
  employee_id: string
  rfc: string
  full_name: string
  department: string
  branch_office: string
  payroll_group: string
  /**
   * El lunes de la semana, siempre entera.
   */
  week_from: string
  week_to: string
  /**
   * Los días que se pagan por primera vez.
   */
  days: number
  period_seconds: number
  added_seconds: number
  deducted_seconds: number
  /**
   * Periodo más adiciones; las deducciones van aparte.
   */
  total_seconds: number
  /**
   * `total_seconds` en horas, con dos decimales.
   */
  total_hours: number
  held_seconds: number
  days_with_exceptions: number
  /**
   * Lo que alguien debe corregir. De un día que no termina todavía no dice `pendientes`, `sin_sincronizar` ni `semana_sobre_limite`.
   */
  exceptions: HoursException[]
  /**
   * Lo que el cierre paga por domingos, por el día de la entrada.
   */
  sunday_seconds: number
  /**
   * Lo que paga por descansos obligatorios; un domingo puede serlo.
   */
  holiday_seconds: number
  /**
   * Lo trabajado en toda la semana, como está en Horas ahora: en todas las sucursales, también fuera del periodo.
   */
  week_seconds: number
  /**
   * El límite de la ley para la semana, por el año de su lunes.
   */
  limit_seconds: number
  /**
   * Lo que `week_seconds` pasa del límite.
   */
  over_seconds: number
  /**
   * `period_seconds` en horas, con dos decimales.
   */
  period_hours: number
  /**
   * `added_seconds` en horas, con dos decimales.
   */
  added_hours: number
  /**
   * `deducted_seconds` en horas, con dos decimales.
   */
  deducted_hours: number
  /**
   * `held_seconds` en horas, con dos decimales.
   */
  held_hours: number
  /**
   * `sunday_seconds` en horas, con dos decimales.
   */
  sunday_hours: number
  /**
   * `holiday_seconds` en horas, con dos decimales.
   */
  holiday_hours: number
  /**
   * `week_seconds` en horas, con dos decimales.
   */
  week_hours: number
  /**
   * `limit_seconds` en horas, con dos decimales.
   */
  limit_hours: number
  /**
   * `over_seconds` en horas, con dos decimales.
   */
  over_hours: number
}
export interface CancelBody {
  comment: string
}
export interface Company {
  /**
   * El nombre de la empresa, que llevan tarjetas y carpetas.
   */
  name: string
  /**
   * Se envía de vuelta como `expected_version`.
   */
  version: number
  zones: ZoneOfBranch[]
  shifts: LongestShift[]
}
export interface ZoneOfBranch {
  /**
   * Null: la empresa.
   */
  branch_office: string | null
  time_zone: string
  /**
   * El primer día en que vale; null: siempre.
   */
  valid_from: string | null
}
export interface LongestShift {
  /**
   * Null: todos.
   */
  employee_id: string | null
  full_name: string | null
  max_shift_hours: number
  /**
   * El primer día en que vale; null: siempre.
   */
  valid_from: string | null
}
export interface CompanyBody {
  name: string
  expected_version: number
}
export interface CompanyName {
  /**
   * El nombre de la empresa, que llevan tarjetas y carpetas.
   */
  name: string
  /**
   * Se envía de vuelta como `expected_version`.
   */
  version: number
}
/**
 * La empresa cambió (`current`).
 */
export interface CompanyConflict {
  success: false
  /**
   * Texto para personas, en español.
   */
  message: string
  data: null
  /**
   * La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.
   */
  code?: string
  details?: ErrorDetails
  current?: CompanyName
}
export interface ZoneBody {
  branch_office: null | string
  time_zone: string
  valid_from: null | string
  dry_run?: boolean | null
}
export interface ChangedZones {
  zones: ZoneOfBranch[]
  /**
   * Los días de los últimos 31 cuyas horas cambian; null: sin horas.
   */
  changed_pairs: ChangedPair[]
  /**
   * Los demás días cuyas horas cambian si se aprueba lo pendiente; las cifras lo cuentan como aprobado.
   */
  changed_pending_pairs: ChangedPair[]
}
export interface ChangedPair {
  employee_id: string
  day: string
  before_seconds: number | null
  after_seconds: number | null
}
export interface ShiftBody {
  employee_id: null | string
  max_shift_hours: number
  valid_from: null | string
  dry_run?: boolean | null
}
export interface ChangedShifts {
  shifts: LongestShift[]
  /**
   * Los días de los últimos 31 cuyas horas cambian; null: sin horas.
   */
  changed_pairs: ChangedPair[]
  /**
   * Los demás días cuyas horas cambian si se aprueba lo pendiente; las cifras lo cuentan como aprobado.
   */
  changed_pending_pairs: ChangedPair[]
}
export interface ClockCorrections {
  corrections: ListedCorrection[]
}
export interface ListedCorrection {
  id: number
  at: string
  user: CorrectionUser
  /**
   * El motivo; null si se borró.
   */
  comment: string | null
  shift_seconds: number
  logs: number
  /**
   * La primera hora equivocada, en la sucursal del reloj.
   */
  first_local_at: string
  last_local_at: string
  /**
   * Si todo lo que agregó está rechazado.
   */
  undone: boolean
}
export interface CorrectionUser {
  id: number
  full_name: string
}
export interface CorrectionBody {
  client_id: string
  from: string
  to: string
  shift_seconds: number
  comment: string
  dry_run?: boolean | null
}
export interface ClockCorrection {
  /**
   * Null en una prueba.
   */
  id: number | null
  result: 'preview' | 'created' | 'known'
  /**
   * Cuántas checadas se corrigen.
   */
  logs: number
  /**
   * Cuántas quedan como estaban, porque son de quien llama (FORBID_SELF_APPROVAL) o de gente que ahora es de otra sucursal.
   */
  left_out: number
  /**
   * Los días que cambian, solo en una prueba.
   */
  days: CorrectedDay[] | null
}
export interface CorrectedDay {
  employee_id: string
  full_name: string
  day: string
  /**
   * Lo que suma el día si se aprueba todo lo pendiente; null si nada.
   */
  before_seconds: number | null
  /**
   * Lo mismo, ya corregido.
   */
  after_seconds: number | null
  before_detail: string
  after_detail: string
  /**
   * Lo que ya se pagó; null si nada.
   */
  paid_seconds: number | null
}
export interface CorrectionUndoBody {
  comment: string
}
export interface UndoneCorrection {
  id: number
  restored: number
  rejected: number
}
export interface OwnDays {
  days: OwnDay[]
  weeks: OwnWeek[]
}
export interface OwnDay {
  department: string
  branch_office: string
  day: string
  /**
   * Hora local: 2026-11-09 08:00:00.
   */
  first_in: string | null
  last_out: string | null
  pairs: number
  worked_seconds: number | null
  detail: string
  exceptions: string[]
  notices: string[]
  paid_seconds: number | null
  closing_id: number | null
  log_ids: number[]
  /**
   * Lo que la persona escribió al pedir.
   */
  request_comments: string[]
  /**
   * Si está en su turno ahora.
   */
  working_since: string | null
  /**
   * Los pares del día, y las entradas y salidas que no tienen par, de todas las checadas que no se rechazaron: no dependen de `preview`.
   */
  spans: Span[]
  /**
   * Checadas a lo más a una hora de otra: sin una de ellas, cualquiera, el día queda completo. Una pudo ser de un día anterior. De las agregadas o solicitadas, ninguna si hay otra.
   */
  extra_log_ids: number[]
  /**
   * Lo que `worked_seconds` crecería si se aprobara todo lo pendiente; negativo si bajaría. 0 con `preview=true`, que ya lo cuenta.
   */
  pending_seconds: number
}
export interface OwnWeek {
  /**
   * Un lunes.
   */
  week_from: string
  week_to: string
  /**
   * Completos si el periodo incluye toda la semana.
   */
  week_seconds: number
  /**
   * El límite de la ley.
   */
  limit_seconds: number
  /**
   * Si algo de la semana está pendiente.
   */
  open: boolean
  /**
   * La suma de los de sus días.
   */
  pending_seconds: number
}
export interface OwnClosings {
  closings: OwnClosing[]
}
export interface OwnClosing {
  id: number
  before: string
  days: number
  period_seconds: number
  added_seconds: number
  deducted_seconds: number
  /**
   * Lo del periodo y lo agregado, menos lo deducido.
   */
  total_seconds: number
  /**
   * La huella de sus renglones, con la que se firma.
   */
  hash: string
  signed: Signature | null
  /**
   * La respuesta a la objeción.
   */
  answer: Answer | null
  cancelled: boolean
}
export interface Signature {
  at: string
  agrees: boolean
  comment: string | null
}
export interface Answer {
  at: string
  /**
   * Null si se borró.
   */
  comment: string | null
}
export interface OwnClosingLines {
  id: number
  before: string
  days: number
  period_seconds: number
  added_seconds: number
  deducted_seconds: number
  /**
   * Lo del periodo y lo agregado, menos lo deducido.
   */
  total_seconds: number
  /**
   * La huella de sus renglones, con la que se firma.
   */
  hash: string
  signed: Signature | null
  /**
   * La respuesta a la objeción.
   */
  answer: Answer | null
  cancelled: boolean
  lines: OwnLine[]
}
export interface OwnLine {
  employee_id: string
  day: string
  /**
   * 1 si el día es del periodo; 0 si es anterior.
   */
  of_period: number
  department: string
  branch_office: string
  first_in: string | null
  last_out: string | null
  pairs: number
  /**
   * Lo trabajado; si se retiene, lo pagado.
   */
  worked_seconds: number | null
  paid_before_seconds: number
  /**
   * Lo que este cierre paga por el día.
   */
  difference_seconds: number
  previous_closing_id: number | null
  held_seconds: number
  /**
   * La checada pendiente más antigua que lo retiene.
   */
  held_by: number | null
  detail: string
  /**
   * Separadas por espacios.
   */
  exceptions: string
  notices: string
}
export interface SignatureBody {
  hash: string
  agrees: boolean
  password: string
  comment?: string | null
}
export interface ObjectionList {
  objections: Objection[]
}
export interface Objection {
  closing_id: number
  before: string
  employee_id: string
  full_name: string
  branch_office: string
  at: string
  comment: string
}
export interface ClosingSignatures {
  signatures: ClosingSignature[]
}
export interface ClosingSignature {
  employee_id: string
  at: string
  agrees: boolean
  /**
   * El sello que la cubre; null si todavía no.
   */
  seal: number | null
}
export interface AnswerBody {
  comment: string
}
export interface AgreementList {
  agreements: Agreement[]
}
export interface Agreement {
  id: number
  title: string
  text: string
  /**
   * SHA-256 de `title`, `valid_from` y `text` en UTF-8, unidos por saltos de línea.
   */
  sha256: string
  /**
   * El primer día en que vale.
   */
  valid_from: string
  created_at: string
}
export interface AgreementBody {
  title: string
  text: string
  valid_from: string
}
export interface PublishedAgreement {
  id: number
  /**
   * SHA-256 de `title`, `valid_from` y `text` en UTF-8, unidos por saltos de línea.
   */
  sha256: string
}
export interface CurrentAgreement {
  id: number
  title: string
  text: string
  /**
   * SHA-256 de `title`, `valid_from` y `text` en UTF-8, unidos por saltos de línea.
   */
  sha256: string
  /**
   * El primer día en que vale.
   */
  valid_from: string
  /**
   * Cuándo acordó quien pregunta.
   */
  accepted_at: string | null
}
export interface AcceptBody {
  sha256: string
  password: string
}
export interface Acceptance {
  accepted_at: string
  /**
   * SHA-256 de `title`, `valid_from` y `text` en UTF-8, unidos por saltos de línea.
   */
  sha256: string
  how: 'app' | 'paper'
}
export interface PaperBody {
  employee_id: string
  signed_on: string
  file_sha256: string
  comment?: string | null
}
export interface VoidPaperBody {
  employee_id: string
  comment: string
}
export interface AgreementPeople {
  people: AgreementPerson[]
  /**
   * Cuántas personas acordaron, en todas las páginas.
   */
  agreed: number
  missing: number
  next_cursor: string | null
}
export interface AgreementPerson {
  employee_id: string
  full_name: string
  branch_office: string
  agreed_at: string | null
  how: ('app' | 'paper') | null
  /**
   * Si puede entrar a la app y acordar ahí.
   */
  has_user: boolean
}
